export function Definition() {
  return (
    <>
      <p>A query describes what somebody looks for. The entity shown must answer it, and as few others as possible.</p>
      <p>Combine links (‘blocks the receptor HRH2’) with properties from the documents (‘makes the stomach produce less acid’).</p>
      <p>No name, synonym or identifier of the answer may stand in it, also not within another word by a hyphen.</p>
    </>
  );
}
