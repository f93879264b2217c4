import { useQueries } from '@tanstack/preact-query';
import { HOUR } from '../../../domain/time';
import { get } from '../../client';
import type { Subscription } from './schemas';

/** The payer's name for an operator: the merchant's reference, or else the e-mail address; undefined if neither is known. */
export function nameOf({ reference, email }: Subscription['payer']): string | undefined {
  return reference ?? email;
}

/** Names of the payers of these subscriptions, as far as loaded. Each is requested once. */
export function usePayerNames(ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const known = [...new Set(ids)].filter((id) => id !== null);
  const answers = useQueries({
    queries: known.map((id) => ({
      queryKey: ['payer', id],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        get('/v1/subscriptions/{id}', { path: { id } }, signal),
      staleTime: HOUR,
    })),
  });
  const names = known.map((id, index) => [id, answers[index]?.data && nameOf(answers[index].data.payer)] as const);
  return new Map(names.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
