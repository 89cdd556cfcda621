export function Definition() {
  return (
    <>
      <p>Each scale has a question of its own, and goes from 1 to 5. In the results 4 and 5 are positive, 3 is a tie, 1 and 2 are negative.</p>
      <p>Use the whole scale, and rate each text on its own.</p>
    </>
  );
}
