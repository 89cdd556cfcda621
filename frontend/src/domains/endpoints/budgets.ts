/** In US dollars. */
export const isAmount = (text: string) => /^(?=.*[0-9])[0-9]{0,6}(\.[0-9]{0,6})?$/.test(text.trim());

export const AMOUNT_HINT = "Enter an amount, such as 0.50.";

/** A free endpoint needs no budget; one of unknown price is refused by the server. */
export const isPriced = (endpoint: { price_in: string | null; price_out: string | null } | undefined) =>
  endpoint !== undefined && (Number(endpoint.price_in) > 0 || Number(endpoint.price_out) > 0);
