/** The drop. Always beside the name, so it says nothing itself. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <path
        fill="var(--accent)"
        d="M12 23c-1 0-9-7.6-9-13.4A9 9 0 0 1 12 1a9 9 0 0 1 9 8.6C21 15.4 13 23 12 23Z"
      />
    </svg>
  );
}
