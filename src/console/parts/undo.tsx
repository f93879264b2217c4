import { useQueryClient } from '@tanstack/preact-query';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Offer, offered, withdrawOffer } from '../undo';
import { ErrorNote } from './notes';

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

type State = 'offered' | 'undoing' | { readonly error: unknown };

function Offered({ offer, onUndone }: OfferedProps): VNode {
  const [isHeld, setHeld] = useState(false);
  const [state, setState] = useState<State>('offered');
  const queries = useQueryClient();
  const isLeaving = state === 'offered' && !isHeld;
  useEffect(() => {
    if (!isLeaving) return undefined;
    const timer = setTimeout(() => withdrawOffer(offer), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  const undo = async () => {
    setState('undoing');
    try {
      await offer.undo();
    } catch (error) {
      setState({ error });
      return;
    }
    document.getElementById('main')?.focus();
    onUndone();
    withdrawOffer(offer);
    await Promise.all(offer.changes.map((first) => queries.invalidateQueries({ queryKey: [first] })));
  };
  return (
    <div
      class="undo-offer"
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
    >
      <span>{offer.says}</span>
      {typeof state === 'string' ? (
        <button type="button" data-undo disabled={state === 'undoing'} onClick={() => void undo()}>
          {state === 'undoing' ? 'Undo …' : 'Undo'}
        </button>
      ) : (
        <ErrorNote error={state.error} />
      )}
      <button type="button" class="quiet" aria-label="Close" onClick={() => withdrawOffer(offer)}>
        ✕
      </button>
    </div>
  );
}
