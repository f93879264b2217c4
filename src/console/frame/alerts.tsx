import type { VNode } from 'preact';
import { unreachableSince } from '../client';
import { instant } from '../format';
import { areKeysOn, isHelpOpen, KEYS } from '../keyboard';
import { Dialog } from '../parts';
import { replaced, session } from '../session';

/** Says that another user has signed in, until the user closes it. */
export function Replaced(): VNode | null {
  const before = replaced.value;
  const signedIn = session.value;
  if (before === null || signedIn === null) return null;
  return (
    <div class="note note-error" role="alert">
      <p>
        <span aria-hidden="true">⚠ </span>
        <strong>{signedIn.name}</strong> has signed in, in another window of this browser. This page now belongs to that
        session. Anything <strong>{before}</strong> was about to do here was not done.
      </p>
      <button type="button" onClick={() => (replaced.value = null)}>
        Close
      </button>
    </div>
  );
}

export function Unreachable(): VNode | null {
  const since = unreachableSince.value;
  if (since === null) return null;
  return (
    <p class="note note-error" role="alert">
      <span aria-hidden="true">⚠ </span>
      The API has not been reachable since {instant(new Date(since).toISOString())}. The page may be out of date. It
      continues by itself once the API answers.
    </p>
  );
}

/** The list of keyboard shortcuts. */
export function Help(): VNode | null {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isHelpOpen.value = false)}>
      {areKeysOn.value ? null : <p>Single-character shortcuts are off. Switch them on in the menu under your name.</p>}
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
