import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { money, words } from '../format';
import { isSearchOpen } from '../keyboard';
import { Dialog } from '../parts';
import { may } from '../session';
import { useAnswer } from '../views/common/answers';
import { nameOf, stateOf } from '../views/common/subscription';
import { pathTo } from '../views/common/address';
import type { Subscription } from '../views/common/schemas';
import { VIEWS } from './views';

/** A search result. */
interface Result {
  readonly href: string;
  readonly name: string;
  /** What distinguishes it from others of the same name. */
  readonly detail: string;
}

/** Ms without a keystroke after which the search is sent. */
const TYPING_ENDED_AFTER = 150;
/** Maximum number of subscriptions, and of payments, among the results. */
const MAX_RESULTS = 6;

/** One search for payers, subscriptions, payments and views: `/` or Ctrl-K. */
export function Search() {
  if (!isSearchOpen.value) return null;
  return <SearchDialog />;
}

function SearchDialog() {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { found, isReading } = useResults(typed);
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  const close = () => (isSearchOpen.value = false);
  const go = (to: Result | undefined) => {
    if (to === undefined) return;
    close();
    route(to.href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(isReading ? undefined : found[at]);
    else if (event.key === 'ArrowDown') setChosen(Math.min(found.length - 1, at + 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, at - 1));
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={close}>
      <input
        autofocus
        role="combobox"
        aria-label="Search everything"
        aria-expanded={found.length > 0}
        aria-controls="search-results"
        aria-activedescendant={found.length > 0 ? `search-result-${at}` : undefined}
        class="search-input"
        placeholder="Payer, e-mail, subscription, payment or page"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <ul id="search-results" role="listbox" aria-label="Results" class="search-results">
        {found.map((each, index) => (
          <li
            key={each.href}
            id={`search-result-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setChosen(index)}
            onClick={() => go(each)}
          >
            <span>{each.name}</span>
            <span class="muted">{each.detail}</span>
          </li>
        ))}
      </ul>
      <p class="hint" role="status">
        {hintOf(typed, found.length, isReading)}
      </p>
    </Dialog>
  );
}

function hintOf(typed: string, results: number, isReading: boolean): string {
  if (typed.trim() === '') return 'Type the start of a name, an e-mail address or an ID.';
  if (isReading) return 'Searching …';
  return results === 0
    ? 'Nothing found. Words are matched from their start.'
    : 'Press Enter to open the selected result.';
}

function useResults(typed: string): { readonly found: readonly Result[]; readonly isReading: boolean } {
  const q = useSettled(typed.trim());
  const isSearching = q !== '';
  const query = { q, limit: MAX_RESULTS };
  const subscriptions = useAnswer(
    ['subscriptions'],
    '/v1/subscriptions',
    { query },
    enabledFor(isSearching, 'listSubscriptions'),
  );
  const payments = useAnswer(['payments'], '/v1/payments', { query }, enabledFor(isSearching, 'listPayments'));
  const found = [
    ...(isSearching ? (subscriptions.data?.items ?? []) : []).map((subscription) => resultOf(subscription)),
    ...(isSearching ? (payments.data?.items ?? []) : []).map(({ paymentId: id, payer, amount, status }) => ({
      href: pathTo('payments', id),
      name: nameOf(payer) ?? id,
      detail: `Payment ${id} · ${money(amount)} · ${words(status)}`,
    })),
    ...viewsLike(typed),
  ];
  const isRead = [subscriptions, payments].every(({ data, error }, index) => {
    const isAllowed = may(index === 0 ? 'listSubscriptions' : 'listPayments');
    return !isAllowed || data !== undefined || error !== null;
  });
  return { found, isReading: q !== typed.trim() || (isSearching && !isRead) };
}

function resultOf(subscription: Subscription): Result {
  const { subscriptionId: id, payer, amount } = subscription;
  return {
    href: pathTo('subscriptions', id),
    name: nameOf(payer) ?? id,
    detail: `Subscription ${id} · ${money(amount)} · ${words(stateOf(subscription))}`,
  };
}

function enabledFor(isSearching: boolean, operation: 'listSubscriptions' | 'listPayments') {
  return { enabled: isSearching && may(operation) };
}

function viewsLike(typed: string): readonly Result[] {
  const sought = typed.trim().toLowerCase();
  return VIEWS.filter(({ reads, name }) => may(reads) && name.toLowerCase().includes(sought)).map(({ href, name }) => ({
    href,
    name,
    detail: 'Page',
  }));
}

/** The text once typing has stopped for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), TYPING_ENDED_AFTER);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
