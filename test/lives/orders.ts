/** A capture or a refund that was ordered; of a refund the capture that it gives back. */
export interface MoneyOrder {
  readonly captureId: string | null;
  readonly cents: number;
}

/** One that was ordered, or may have been: the answer was lost. */
export type AskedOrder = MoneyOrder & { readonly isSure: boolean };

/** What the service has done without an order, or has done once more than it was ordered; and what it has not done. */
export function heldAgainst<T extends MoneyOrder>(
  ordered: readonly T[],
  done: readonly MoneyOrder[],
): { readonly tooMany: readonly MoneyOrder[]; readonly lacking: readonly T[] } {
  const lacking = [...ordered];
  const tooMany = done.filter(({ captureId, cents }) => {
    const at = lacking.findIndex((each) => each.captureId === captureId && each.cents === cents);
    if (at !== -1) lacking.splice(at, 1);
    return at === -1;
  });
  return { tooMany, lacking };
}
