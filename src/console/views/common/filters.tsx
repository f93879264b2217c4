import { SlidersHorizontal } from 'lucide-preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { operations } from '../../../client/api';
import { words } from '../../format';
import { type Address, useAddress } from './address';
import type { QueryOf } from './schemas';

/** A filter of a list; its name is that of the parameter in the address and in the API. */
export type Filter<Name extends string = string> = {
  readonly name: Name;
  readonly label: string;
  /** Converts the text of the address to the API's value. */
  readonly read?: (text: string) => unknown;
} & (
  | {
      readonly kind: 'choice';
      readonly values: readonly string[];
      /** Text shown if nothing is chosen. */
      readonly none?: string;
      /** Texts for values that need one. */
      readonly says?: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'text' | 'search'; readonly hint?: string }
  | { readonly kind: 'day' }
);

export type FiltersOf<Operation extends keyof operations> = readonly Filter<keyof QueryOf<Operation> & string>[];

/** The filter values of the address as API parameters. The API reports invalid ones. */
export function chosenBy<Operation extends keyof operations>(filters: FiltersOf<Operation>, query: Address['query']) {
  const chosen = filters.map(({ name, read = String }) => {
    const text = query[name];
    return [name, text === undefined ? undefined : read(text)];
  });
  return Object.fromEntries(chosen) as { readonly [Name in keyof QueryOf<Operation>]?: QueryOf<Operation>[Name] };
}

/** The filter values of the address, with the cursor of the page. */
export function usePageQuery<Operation extends keyof operations>(filters: FiltersOf<Operation>) {
  const { query } = useAddress();
  return { ...chosenBy<Operation>(filters, query), cursor: query['cursor'] };
}

/** The filters of a list, stored in the address. */
export function Filters({ of }: { readonly of: readonly Filter[] }) {
  const address = useAddress();
  const form = useRef<HTMLFormElement>(null);
  // On a narrow page, all but the search are folded away.
  const [isUnfolded, setUnfolded] = useState(false);
  const isAny = of.some(({ name }) => address.query[name] !== undefined);
  const clear = () => {
    address.filter(Object.fromEntries(of.map(({ name }) => [name, undefined])));
    // The button disappears once the filters are cleared.
    form.current?.querySelector<HTMLElement>('input, select')?.focus();
  };
  return (
    <>
      <form
        ref={form}
        class={isUnfolded ? 'filters is-unfolded' : 'filters'}
        role="search"
        onSubmit={(event) => event.preventDefault()}
      >
        {of.map((filter) => (
          <label key={filter.name} class={`filter filter-${filter.kind}`}>
            <span>{filter.label}</span>
            <Input of={filter} address={address} />
          </label>
        ))}
        <button type="button" class="fold" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          <SlidersHorizontal aria-hidden="true" size={16} /> Filters
        </button>
        {isAny ? (
          <button type="button" class="quiet" onClick={clear}>
            Clear
          </button>
        ) : null}
      </form>
      {isAny ? <Chips of={of} address={address} /> : null}
    </>
  );
}

interface ChipsProps {
  readonly of: readonly Filter[];
  readonly address: Address;
}

/** The filters that are set, also where they are folded away; each can be removed. */
function Chips({ of, address }: ChipsProps) {
  return (
    <ul class="chips" aria-label="Active filters">
      {of.map((filter) => {
        const value = address.query[filter.name];
        return value === undefined ? null : (
          <li key={filter.name}>
            <button type="button" class="chip" onClick={() => address.filter({ [filter.name]: undefined })}>
              <span class="unseen">Remove </span>
              {filter.label}: {valueOf(filter, value)} <span aria-hidden="true">✕</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The value of the address in words. */
function valueOf(filter: Filter, value: string): string {
  switch (filter.kind) {
    case 'choice':
      return filter.says?.[value] ?? words(value).toLowerCase();
    case 'day':
      return value.slice(0, 'YYYY-MM-DD'.length);
    case 'text':
    case 'search':
      return value;
  }
}

function Input({ of: filter, address }: { readonly of: Filter; readonly address: Address }) {
  const value = address.query[filter.name] ?? '';
  const choose: Choose = ({ currentTarget }) => address.filter({ [filter.name]: currentTarget.value.trim() });
  switch (filter.kind) {
    case 'choice': {
      const { values, none = 'any', says = {} } = filter;
      // An address may contain a value that is not offered: it is shown, and the API reports it as invalid.
      const offered = value === '' || values.includes(value) ? values : [...values, value];
      return (
        <select value={value} onChange={choose}>
          <option value="">{none}</option>
          {offered.map((each) => (
            <option key={each} value={each}>
              {says[each] ?? words(each).toLowerCase()}
            </option>
          ))}
        </select>
      );
    }
    case 'day':
      return <input type="date" value={value.slice(0, 'YYYY-MM-DD'.length)} onChange={choose} />;
    case 'text':
    case 'search':
      return <TextInput kind={filter.kind} hint={filter.hint} value={value} onChange={choose} />;
  }
}

type Choose = (event: { readonly currentTarget: { readonly value: string } }) => void;

interface TextInputProps {
  readonly kind: 'text' | 'search';
  readonly hint: string | undefined;
  /** The text in the address. */
  readonly value: string;
  readonly onChange: Choose;
}

/** The field survives a change of the address, to keep the focus; text that was not submitted does not survive "back". */
function TextInput({ kind, hint, value, onChange }: TextInputProps) {
  const field = useRef<HTMLInputElement>(null);
  // A layout effect, because an effect after the next paint could overwrite what is typed in the meantime.
  useLayoutEffect(() => {
    if (field.current !== null) field.current.value = value;
  }, [value]);
  return <input ref={field} type={kind} placeholder={hint} onChange={onChange} />;
}

/** How lists of subscriptions and payments can be ordered. */
export const SORT_FILTER: Filter<'sort'> = {
  kind: 'choice',
  name: 'sort',
  label: 'Order',
  values: ['createdAt', 'dueAt', '-dueAt'],
  none: 'newest first',
  says: { createdAt: 'oldest first', dueAt: 'due soonest first', '-dueAt': 'due latest first' },
};
