/** The earliest and the latest instant at which something may have happened, epoch ms. */
export interface Moment {
  readonly earliest: number;
  readonly latest: number;
}

/** The most business ms between a request and its effect in the ledger, with room for a busy machine. */
export const HASTE = 20_000;
