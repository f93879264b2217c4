/** A capture or a refund that was ordered; a refund names the capture that it returns. */
export interface MoneyOrder {
  readonly captureId: string | null;
  readonly cents: number;
}

/** A capture or refund that was ordered, or may have been, if the answer was lost. */
export type AskedOrder = MoneyOrder & { readonly isSure: boolean };

/** Lists what the service has done without an order or more often than ordered, and what it has not done. */
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
