import type { AnswerContradiction } from './contradictions';
import type { View } from './record-contradictions';

/** A record to be listed. Instants in epoch ms. */
export interface Listed {
  readonly view: View;
  /** Real time. */
  readonly madeAt: number;
  /** Business time. */
  readonly createdAt: number;
}

export interface ListRequest {
  readonly realNow: number;
  readonly now: number;
  /** Path with query, for links to the next page. */
  readonly url: string;
}

export interface ListAnswer {
  readonly body: { readonly items: readonly View[]; readonly [more: string]: unknown };
  readonly headers: Readonly<Record<string, string>>;
}

type CutList = Extract<AnswerContradiction, { kind: 'list_cut' }>;

/** The list of `records`, which are oldest first, changed by the contradictions. */
export function misrepresentList(
  contradictions: readonly AnswerContradiction[],
  records: readonly Listed[],
  request: ListRequest,
): ListAnswer {
  let listed = records;
  for (const contradiction of contradictions) listed = omitRecords(contradiction, listed, request);
  const cut = contradictions.find((contradiction): contradiction is CutList => contradiction.kind === 'list_cut');
  const answer = cut === undefined ? whole(listed) : cutShort(cut, listed, request);
  const isReversed = contradictions.some(({ kind }) => kind === 'list_newest_first');
  return isReversed ? { ...answer, body: { ...answer.body, items: answer.body.items.toReversed() } } : answer;
}

function omitRecords(
  contradiction: AnswerContradiction,
  records: readonly Listed[],
  { realNow, now }: ListRequest,
): readonly Listed[] {
  switch (contradiction.kind) {
    case 'list_lag':
      return records.filter(({ madeAt }) => madeAt + contradiction.delayMs <= realNow);
    case 'list_days':
      return records.filter(({ createdAt }) => createdAt >= now - contradiction.days * 86_400_000);
    case 'list_without_refused':
      return records.filter(({ view }) => !isRefused(view));
    case 'list_empty':
      return [];
    case 'list_newest_first':
    case 'list_cut':
    case 'outage':
    case 'cancellation_refused':
    case 'cancellation_ignored':
    case 'consent_gone':
      return records;
  }
}

function isRefused({ status, result }: View): boolean {
  const word = (status as { readonly result?: unknown }).result;
  return result === 'FAILED' || String(word).toLowerCase() === 'failed';
}

function whole(records: readonly Listed[]): ListAnswer {
  return { body: { items: records.map(({ view }) => view) }, headers: {} };
}

function cutShort({ keeps, count, says }: CutList, records: readonly Listed[], request: ListRequest): ListAnswer {
  const url = new URL(request.url, 'http://service.invalid');
  const page = says === 'link' ? Number(url.searchParams.get('page') ?? 1) : 1;
  const from = keeps === 'oldest' ? (page - 1) * count : Math.max(0, records.length - page * count);
  const to = keeps === 'oldest' ? page * count : records.length - (page - 1) * count;
  const shown = whole(records.slice(from, to));
  if (records.length <= count * page) return shown;
  const next = (target: URL): ListAnswer => {
    target.searchParams.set('page', String(page + 1));
    const address = says === 'foreign_link' ? target.href : target.pathname + target.search;
    return { ...shown, headers: { link: `<${address}>; rel="next"` } };
  };
  switch (says) {
    case 'nothing':
      return shown;
    case 'has_more':
      return { ...shown, body: { ...shown.body, hasMore: true } };
    case 'next_cursor':
      return { ...shown, body: { ...shown.body, nextCursor: `after-${to}` } };
    case 'total':
      return { ...shown, body: { ...shown.body, total: records.length } };
    case 'link':
    case 'endless_link':
    case 'foreign_link':
      return next(url);
  }
}
