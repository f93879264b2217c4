import { CircleCheck, TriangleAlert } from 'lucide-preact';
import type { VNode } from 'preact';
import { day, now } from '../../format';
import { Empty } from '../../parts';
import { may } from '../../session';
import { useAddress } from '../common/address';
import { type QueryState, Shown, useAnswer } from '../common/answers';
import type { Attention, Deadline, PageOf } from '../common/schemas';
import { useToday } from '../common/answers';
import { Cards } from './cards';
import { Days } from './days';
import { type Headline, headlinesOf } from './headline';
import { Automatic, OpenCycles, Queue } from './queue';
import { automaticOf, ITEM_ORDER, workOf } from './work';

/** The API's maximum page size. */
const PAGE = 200;
const NO_ITEMS: PageOf<never> = { items: [], nextCursor: null };

/** What is at risk, why, and what to do about it. */
export default function Today(): VNode {
  const today = useToday();
  const mayReadDeadlines = may('listDeadlines');
  const items = useItems();
  const deadlines = useAnswer(
    ['reports'],
    '/v1/reports/deadlines',
    { query: { limit: PAGE } },
    { enabled: mayReadDeadlines },
  );
  const only = useAddress().query['only'];
  return (
    <>
      <header class="subject">
        <h1>Today</h1>
        <p class="muted">{day(new Date(now()).toISOString())}</p>
      </header>
      {mayReadDeadlines ? null : <Empty>Your key may not read reports, so payments due are not shown.</Empty>}
      {may('reportToday') ? (
        <Shown what="today’s figures" of={today}>
          {(report) => (
            <>
              <Headlines of={headlinesOf(report, items.data?.items)} />
              <Cards of={report} />
            </>
          )}
        </Shown>
      ) : null}
      {may('reportCollections') && may('reportForecast') && only === undefined ? <Days /> : null}
      {mayReadDeadlines ? (
        <Shown what="open payments" of={deadlines}>
          {(read) =>
            only === 'at-risk' ? (
              <AtRisk of={read.items} />
            ) : (
              <Shown what="what needs attention" of={items}>
                {(open) => <Board items={open} deadlines={read} />}
              </Shown>
            )
          }
        </Shown>
      ) : null}
    </>
  );
}

/** No items for a key that may not read them. */
function useItems(): QueryState<PageOf<Attention>> {
  const query = { limit: PAGE, sort: ITEM_ORDER } as const;
  const mayReadItems = may('listAttention');
  const read = useAnswer(['attention'], '/v1/attention', { query }, { enabled: mayReadItems });
  return mayReadItems ? read : { data: NO_ITEMS, error: null };
}

function Headlines({ of: [first, ...rest] }: { readonly of: readonly Headline[] }): VNode | null {
  if (first === undefined) return null;
  return (
    <div class={`headline headline-${first.tone}`}>
      {first.tone === 'good' ? (
        <CircleCheck aria-hidden="true" size={20} />
      ) : (
        <TriangleAlert aria-hidden="true" size={20} />
      )}
      <div>
        <p class="headline-first">
          <Sentence of={first} />
        </p>
        {rest.map((each) => (
          <p key={each.says}>
            <Sentence of={each} />
          </p>
        ))}
      </div>
    </div>
  );
}

function Sentence({ of: { says, href } }: { readonly of: Headline }): VNode {
  return href === null ? <>{says}</> : <a href={href}>{says}</a>;
}

interface BoardProps {
  readonly items: PageOf<Attention>;
  readonly deadlines: PageOf<Deadline>;
}

function Board({ items, deadlines }: BoardProps): VNode {
  const isMore = items.nextCursor !== null || deadlines.nextCursor !== null;
  return (
    <>
      <Queue of={workOf(items.items, deadlines.items, now())} isMore={isMore} />
      <Automatic of={automaticOf(deadlines.items)} isMore={deadlines.nextCursor !== null} />
    </>
  );
}

const NEAR_HOURS = 24;

/** The open cycles that are at risk. As in the report, pending and successful amounts do not count. */
function AtRisk({ of }: { readonly of: readonly Deadline[] }): VNode {
  const near = of.filter(({ hoursLeft, atRisk }) => hoursLeft < NEAR_HOURS && atRisk.value > 0);
  return (
    <section aria-labelledby="at-risk">
      <h2 id="at-risk">Less than 24 hours left</h2>
      <p>
        <a href="/">Back to Today</a>
      </p>
      <OpenCycles of={near} label="Less than 24 hours left" />
    </section>
  );
}
