import { signal } from '@preact/signals';

/** What was just done and can be taken back. */
export interface Offer {
  readonly id: string;
  /** What was done. */
  readonly says: string;
  /** @throws ApiError, or Error, where it can no longer be taken back */
  readonly undo: () => Promise<unknown>;
  /** Collections that it changes, by the first element of their keys. */
  readonly changes: readonly string[];
}

/** The last of them, until its time is over. */
export const offered = signal<Offer | null>(null);

/** Takes the place of the one before. */
export function offerUndo(undoable: Omit<Offer, 'id'>): void {
  offered.value = { ...undoable, id: crypto.randomUUID() };
}

/** Leaves what was offered meanwhile. */
export function withdrawOffer({ id }: Offer): void {
  if (offered.peek()?.id === id) offered.value = null;
}

/** For the trail. */
export const UNDONE = 'taken back right after it was done';
