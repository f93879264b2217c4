import { ChevronDown } from 'lucide-preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { signOut } from '../client';
import { chooseZone, instant, type Zone, zone } from '../format';
import { areKeysOn, isHelpOpen, switchKeys } from '../keyboard';
import { ErrorNote } from '../parts';
import { session } from '../session';
import { chooseTheme, theme, THEMES, type Theme } from '../theme';

/** Who is signed in, the settings of this browser, and signing out. */
export function Account(): VNode | null {
  const [error, setError] = useState<unknown>(null);
  const signedIn = session.value;
  if (signedIn === null) return null;
  return (
    <div class="person">
      <button type="button" class="quiet" popovertarget="person">
        <span class="person-name">{signedIn.name}</span> <ChevronDown aria-hidden="true" size={16} />
      </button>
      <div id="person" popover="auto" class="menu">
        <p>
          Signed in with the key <strong>{signedIn.name}</strong>, role {signedIn.role}, until{' '}
          {instant(signedIn.endsAt)} at the latest.
        </p>
        <ThemeChoice />
        <ZoneChoice />
        <KeysSwitch />
        <p>
          <button type="button" onClick={() => (isHelpOpen.value = true)}>
            Keyboard shortcuts
          </button>
        </p>
        <p>
          <a href="/docs/">Documentation</a>
        </p>
        <button type="button" onClick={() => void signOut().catch(setError)}>
          Sign out
        </button>
        {error === null ? null : <ErrorNote error={error} />}
      </div>
    </div>
  );
}

function ThemeChoice(): VNode {
  return (
    <label class="menu-choice">
      Theme
      <select value={theme.value} onChange={({ currentTarget }) => chooseTheme(currentTarget.value as Theme)}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Applies to the whole page; the other zone is shown on hover. */
function ZoneChoice(): VNode {
  return (
    <label class="menu-choice">
      Times in
      <select value={zone.value} onChange={({ currentTarget }) => chooseZone(currentTarget.value as Zone)}>
        <option value="local">local time</option>
        <option value="utc">UTC</option>
      </select>
    </label>
  );
}

function KeysSwitch(): VNode {
  return (
    <label class="menu-choice">
      Single-character shortcuts
      <input
        type="checkbox"
        checked={areKeysOn.value}
        onChange={({ currentTarget }) => switchKeys(currentTarget.checked)}
      />
    </label>
  );
}
