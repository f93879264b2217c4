const SHORTEST_PERSONAL = 3;

/** Where personal data may be. */
export interface Personal {
  readonly payer?: object;
  readonly billingAddress: object;
  readonly shippingAddress: object | null;
}

/** A refusal may quote what it refuses; the result stays in the workflow's history, where no address may be (decisions 28). */
export function withoutPayer(text: string, { payer, billingAddress, shippingAddress }: Personal): string {
  return [payer ?? {}, billingAddress, shippingAddress ?? {}]
    .flatMap((part): unknown[] => Object.values(part))
    .filter((value): value is string => typeof value === 'string' && value.trim().length >= SHORTEST_PERSONAL)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '[masked]'), text);
}
