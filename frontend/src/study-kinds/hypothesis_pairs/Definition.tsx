export function Definition() {
  return (
    <>
      <p>The better hypothesis is more likely true, and its rationale leads to it from facts.</p>
      <p>A good rationale states what is known and how the one follows from the other. A rationale that sounds sure but rests on nothing is worse than a cautious one.</p>
      <p>How new or surprising a hypothesis is does not count here.</p>
    </>
  );
}
