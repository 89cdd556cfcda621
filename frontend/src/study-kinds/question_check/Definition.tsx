export function Definition() {
  return (
    <>
      <p>Grammar: whether it is correct English. Clarity: whether it can be understood, and means what the pattern means.</p>
      <p>Biological relevance: whether a biologist or physician would want the answer, however the question is worded.</p>
      <p>How new or surprising its answers are does not count here.</p>
    </>
  );
}
