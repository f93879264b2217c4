import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { withAmounts } from '../format';
import { useInvalidation } from '../stream';
import { useTask } from './confirm';
import { ErrorNote } from './notes';

/** What was just done, and how to undo it. */
interface Offer {
  readonly id: string;
  /** Says what was done. */
  readonly says: string;
  /** Null if it cannot be undone. @throws ApiError, or Error, if it can no longer be undone */
  readonly undo: (() => Promise<unknown>) | null;
  /** Whether it stays until the user closes it. */
  readonly isKept?: boolean;
  /** Collections that the undo changes, by the first element of their query keys. */
  readonly changes: readonly string[];
}

/** The latest offer, until it times out. */
const offered = signal<Offer | null>(null);

/** Replaces the previous offer. */
export function offerUndo(undoable: Omit<Offer, 'id'>): void {
  offered.value = { ...undoable, id: crypto.randomUUID() };
}

/**
 * Says what was done and what follows, without an undo.
 * @param warnings of the answer: with any, the message stays until the user closes it
 */
export function announce(says: string, warnings: readonly string[] = []): void {
  const text = [says, ...warnings.map(withAmounts)].join(' ');
  offerUndo({ says: text, undo: null, changes: [], isKept: warnings.length > 0 });
}

/** Withdraws this offer, but not a newer one. */
function withdrawOffer({ id }: Offer): void {
  if (offered.peek()?.id === id) offered.value = null;
}

/** The reason that the audit log shows for an undo. */
export const UNDONE = 'undone right after it was done';

/** Ms for which the offer, or the note that it was undone, is shown; longer while it has the focus or the pointer. */
const SHOWN_FOR = 10_000;

/** Says what was just done and offers to undo it, for some seconds. */
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
      {offer === null && isUndone ? <p class="undo-offer">Undone.</p> : null}
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
  const { isRunning, error, run } = useTask(async () => {
    await offer.undo?.();
    document.getElementById('main')?.focus();
    onUndone();
    withdrawOffer(offer);
    await invalidate();
  });
  const isLeaving = offer.isKept !== true && !isHeld && !isRunning && error === null;
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
