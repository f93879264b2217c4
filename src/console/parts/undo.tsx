import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useInvalidation } from '../stream';
import { useDeed } from './confirm';
import { ErrorNote } from './notes';

/** What was just done, and how it is taken back. */
interface Offer {
  readonly id: string;
  /** What was done. */
  readonly says: string;
  /** Null where there is no way back. @throws ApiError, or Error, where it can no longer be taken back */
  readonly undo: (() => Promise<unknown>) | null;
  /** Collections that it changes, by the first element of their keys. */
  readonly changes: readonly string[];
}

/** The last of them, until its time is over. */
const offered = signal<Offer | null>(null);

/** Takes the place of the one before. */
export function offerUndo(undoable: Omit<Offer, 'id'>): void {
  offered.value = { ...undoable, id: crypto.randomUUID() };
}

/** Says what was done and what follows from it, where there is no way back. */
export function announce(says: string): void {
  offerUndo({ says, undo: null, changes: [] });
}

/** Leaves a newer offer. */
function withdrawOffer({ id }: Offer): void {
  if (offered.peek()?.id === id) offered.value = null;
}

/** For the audit log. */
export const UNDONE = 'taken back right after it was done';

/** Ms for which it is offered, or its end is said; longer while the focus or the pointer is on it. */
const SHOWN_FOR = 10_000;

/** What was just done, and the way back, for some seconds. */
export function Undo(): VNode {
  const offer = offered.value;
  const [isUndone, setUndone] = useState(false);
  useEffect(() => () => void (offered.value = null), []);
  useEffect(() => {
    if (!isUndone) return undefined;
    const timer = setTimeout(() => setUndone(false), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [isUndone]);
  return (
    <div class="undo" role="status">
      {offer === null ? null : <Offered key={offer.id} offer={offer} onUndone={() => setUndone(true)} />}
      {offer === null && isUndone ? <p class="undo-offer">It is taken back.</p> : null}
    </div>
  );
}

interface OfferedProps {
  readonly offer: Offer;
  readonly onUndone: () => void;
}

function Offered({ offer, onUndone }: OfferedProps): VNode {
  const [isHeld, setHeld] = useState(false);
  const invalidate = useInvalidation(offer.changes);
  const { isRunning, error, run } = useDeed(async () => {
    await offer.undo?.();
    document.getElementById('main')?.focus();
    onUndone();
    withdrawOffer(offer);
    await invalidate();
  });
  const isLeaving = !isHeld && !isRunning && error === null;
  useEffect(() => {
    if (!isLeaving) return undefined;
    const timer = setTimeout(() => withdrawOffer(offer), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  return (
    <div
      class="undo-offer"
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
    >
      <span>{offer.says}</span>
      {offer.undo === null ? null : error === null ? (
        <button type="button" data-undo disabled={isRunning} onClick={() => void run()}>
          {isRunning ? 'Undo …' : 'Undo'}
        </button>
      ) : (
        <ErrorNote error={error} />
      )}
      <button type="button" class="quiet" aria-label="Close" onClick={() => withdrawOffer(offer)}>
        ✕
      </button>
    </div>
  );
}
