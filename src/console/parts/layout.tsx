import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { OperationId } from '../../client/operations';
import { signOut, unreachableSince } from '../client';
import { instant, now } from '../format';
import { areKeysOn, isHelpOpen, KEYS, switchKeys } from '../keyboard';
import { may, replaced, session } from '../session';
import { liveness } from '../stream';
import { chooseTheme, theme, THEMES, type Theme } from '../theme';
import { Dialog } from './dialog';
import { ErrorNote } from './notes';
import { Undo } from './undo';

/** `reads`: the call without which there is nothing in it. */
const VIEWS: readonly { readonly href: string; readonly name: string; readonly reads: OperationId }[] = [
  { href: '/', name: 'Today', reads: 'getSession' },
  { href: '/subscriptions', name: 'Subscriptions', reads: 'listSubscriptions' },
  { href: '/bulk', name: 'Bulk', reads: 'runBulk' },
  { href: '/attention', name: 'Attention', reads: 'listAttention' },
  { href: '/payments', name: 'Payments', reads: 'listPayments' },
  { href: '/money', name: 'Money', reads: 'listTransactions' },
  { href: '/recovery', name: 'Recovery', reads: 'reportRecovery' },
  { href: '/forecast', name: 'Forecast', reads: 'reportForecast' },
  { href: '/notices', name: 'Notices', reads: 'listNotices' },
  { href: '/events', name: 'Events', reads: 'listWebhookEndpoints' },
  { href: '/audit', name: 'Audit', reads: 'listAudit' },
  { href: '/approvals', name: 'Approvals', reads: 'listApprovals' },
  { href: '/keys', name: 'Keys', reads: 'listKeys' },
];

/** What stands around every view. */
export function Layout({ children }: { readonly children: ComponentChildren }): VNode {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.title = titleOf(path);
  }, [path]);
  return (
    <div class="page">
      <a class="skip" href="#main" onClick={() => main.current?.focus()}>
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/">
          dueday
        </a>
        <TestClock />
        <Liveness />
        <Person />
      </header>
      <Navigation path={path} />
      <main id="main" ref={main} tabIndex={-1}>
        <Replaced />
        <Unreachable />
        {children}
      </main>
      <Undo />
      <Help />
    </div>
  );
}

/** Of one thing, with its id first. */
function titleOf(path: string): string {
  const view = VIEWS.find(({ href }) => isAt(path, href));
  if (view === undefined) return 'No such page · dueday';
  const id = path.slice(view.href.length + 1);
  return `${id === '' ? '' : `${id} · `}${view.name} · dueday`;
}

function isAt(path: string, href: string): boolean {
  return path === href || (href !== '/' && path.startsWith(`${href}/`));
}

function Navigation({ path }: { readonly path: string }): VNode {
  return (
    <nav class="views" aria-label="Views">
      <ul>
        {VIEWS.filter(({ reads }) => may(reads)).map(({ href, name }) => (
          <li key={href}>
            <a href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function TestClock(): VNode | null {
  const clock = session.value?.clock;
  if (clock?.isTest !== true) return null;
  const at = new Date(now()).toISOString();
  return (
    <p class="test-clock" title={`${at} UTC`}>
      <strong>Test clock</strong> {instant(at)}
      {clock.speed === 1 ? '' : `, ${clock.speed} times as fast`}
    </p>
  );
}

function Liveness(): VNode {
  const isLive = liveness.value === 'live';
  return (
    <p class="liveness muted" title={isLive ? 'Changes appear by themselves' : 'The page asks every 5 seconds'}>
      <span aria-hidden="true">{isLive ? '●' : '○'} </span>
      {isLive ? 'Live' : 'Polling'}
    </p>
  );
}

function Person(): VNode | null {
  const [error, setError] = useState<unknown>(null);
  const signedIn = session.value;
  if (signedIn === null) return null;
  return (
    <div class="person">
      <button type="button" class="quiet" popovertarget="person">
        {signedIn.name} <span aria-hidden="true">▾</span>
      </button>
      <div id="person" popover="auto" class="menu">
        <p>
          Signed in with the key <strong>{signedIn.name}</strong>, role {signedIn.role}, until{' '}
          {instant(signedIn.endsAt)} at the latest.
        </p>
        <ThemeChoice />
        <p>
          <KeysSwitch />
        </p>
        <p>
          <button type="button" onClick={() => (isHelpOpen.value = true)}>
            Keys of this page
          </button>
        </p>
        <p>
          <a href="/docs">Documentation of the API</a>
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
    <label class="inline">
      Theme{' '}
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

function KeysSwitch(): VNode {
  return (
    <label class="inline">
      <input
        type="checkbox"
        checked={areKeysOn.value}
        onChange={({ currentTarget }) => switchKeys(currentTarget.checked)}
      />
      Single-character shortcuts
    </label>
  );
}

/** Whose page it has become, until that is taken note of. */
function Replaced(): VNode | null {
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

function Unreachable(): VNode | null {
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

function Help(): VNode | null {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keys of this page" onClose={() => (isHelpOpen.value = false)}>
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
