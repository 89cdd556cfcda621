export function Definition() {
  return (
    <>
      <p>Evidence supports a claim if whoever believes the evidence must believe the claim. It contradicts the claim if both cannot be true.</p>
      <p>Not enough: the evidence is about something else, or about a part of the claim alone. What you know yourself does not count.</p>
      <p>How new or surprising a claim is does not count here.</p>
    </>
  );
}
