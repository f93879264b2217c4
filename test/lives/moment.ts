/** The earliest and the latest instant at which something may have happened, epoch ms. */
export interface Moment {
  readonly earliest: number;
  readonly latest: number;
}

/** What passes on the wire and in the ledger while a request is answered, with room for a busy machine. */
export const HASTE = 20_000;
