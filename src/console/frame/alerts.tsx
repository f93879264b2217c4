import type { VNode } from 'preact';
import { unreachableSince } from '../client';
import { instant } from '../format';
import { areKeysOn, isHelpOpen, KEYS } from '../keyboard';
import { Dialog } from '../parts';
import { replaced, session } from '../session';

/** Says that another user has signed in, until that is acknowledged. */
export function Replaced(): VNode | null {
  const before = replaced.value;
  const signedIn = session.value;
  if (before === null || signedIn === null) return null;
  return (
    <div class="note note-error" role="alert">
      <p>
        <span aria-hidden="true">⚠ </span>
        Another person has signed in, in another window of this browser: <strong>{signedIn.name}</strong>. This page
        shows what is theirs now. What <strong>{before}</strong> was about to do here was not done.
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
      The API cannot be reached since {instant(new Date(since).toISOString())}. What is shown is from then; the page
      goes on by itself once the API answers.
    </p>
  );
}

/** The list of keyboard shortcuts. */
export function Help(): VNode | null {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (isHelpOpen.value = false)}>
      {areKeysOn.value ? null : <p>Single characters are switched off, in the menu under the name of your key.</p>}
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
