/** A valid body of `POST /v1/subscriptions`. */
export function order(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    amount: { value: 1999, currency: 'EUR' },
    repetition: 'MONTHLY',
    startAt: '2027-01-31T12:00:00.000Z',
    firstPaymentAt: '2027-01-31T12:00:00.000Z',
    returnURL: 'https://shop.example/back',
    billingAddress: address(),
    payer: { email: 'ada@example.com', reference: 'customer 17' },
    ...changes,
  };
}

export function address(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Ada Byron',
    street: 'Hauptstraße 1',
    postalCode: 'D-10115',
    city: 'Berlin',
    country: 'DE',
    ...changes,
  };
}
