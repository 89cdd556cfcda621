/** The value of one of these options, however it came: an address can have any text. */
export function readChoice<const Value extends string>(options: readonly { value: Value }[], text: string | null, fallback: NoInfer<Value>): Value {
  return options.find(({ value }) => value === text)?.value ?? fallback;
}
