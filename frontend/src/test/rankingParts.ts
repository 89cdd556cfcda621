/** What a question of a ranking study loads lazily, for tests that must not wait for it to be transformed. */
export async function loadRankingParts(): Promise<void> {
  await Promise.all([
    import("@/study-kinds/ranking/RankingEditor"),
    import("@/study-kinds/ranking/ReadOnlyAnswer"),
    import("@/study-kinds/ranking/Instructions"),
    import("@/study-kinds/ranking/Definition"),
  ]);
}
