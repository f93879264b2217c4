import { OTHER_NAMES, SPELLED_PAYER, SPELLINGS } from '../ledger/payer-spellings';
import type { Check } from '../support/campaign';
import { ask, askJson, askWhenReady, type Said } from './ask';
import { outputOf, temporalText } from './canary';
import { noneOf } from './check';
import { type Operation, readDescription } from './description';
import { ANSWER, type ErasedLife, ID, liveAndEnd } from './erased-life';
import { openListener } from './listener';
import { openStage, type Stage } from './stage';

const { address, email, reference } = SPELLED_PAYER;
const TERMS = [address.name, address.street, address.city, email, reference];
/** Parts of the payer's names, each in a form that a plain text search finds. */
const WORDS = ['zoë', 'lüdenscheidt', 'ludenscheidt', 'luedenscheidt', 'görlitz', 'gorlitz', 'goerlitz', 'voliere'];

/**
 * A payer is named in every spelling in every text, and is then erased: the ledger, the logs, Temporal, and every list and export
 * that an admin reads must not name the payer any more, and texts that name others must remain. On a stage of its own, because
 * its logs are read from their beginning.
 */
export async function checkErasure(): Promise<readonly Check[]> {
  const listener = await openListener((body) => (body.includes(ID) ? ANSWER : ''));
  const stage = await openStage({
    ...{ LOG_LEVEL: 'trace', PAYMENT_SERVICE_SETTLE_SECONDS: '1', APPROVAL_ABOVE_CENTS: '1000' },
    ...{ EVENT_ENDPOINT_NETWORKS: '127.0.0.0/8', NOTICE_BACKOFF_SECONDS: '1' },
  });
  try {
    const life = await liveAndEnd(stage, listener.url);
    const before = await tablesThatName(stage);
    const erased = await erase(stage);
    const left = await tablesThatName(stage);
    const lists = await readEverything(stage, life);
    return [
      {
        name: 'erasure: the payer is in no column of any table',
        holds: before.length > 10 && erased.status === 200 && left.length === 0,
        found: `before ${before.join(', ')}; ${erased.status} ${erased.text.slice(0, 300)}; then ${left.join(', ') || 'none'}`,
      },
      noneOf(
        'erasure: the payer is in no list and no export',
        lists.flatMap(({ what, status, text }) => {
          const unread = status >= 500 ? [`${what}: ${status}`] : [];
          return [...unread, ...namedIn(text).map((word) => `${what} has ${word}`)];
        }),
        `${lists.filter(({ status }) => status === 200).length} of ${lists.length} answered with 200`,
      ),
      ...(await checkOutside(stage)),
      noneOf('erasure: texts that name others remain', await lostTexts(stage), `${OTHER_NAMES.length} texts`),
    ];
  } finally {
    await stage.close();
    await listener.close();
  }
}

function erase({ url, keys }: Stage): Promise<Said> {
  return askJson(url, keys.admin, 'POST', `/v1/payers/${reference}/erase`, { reason: 'asked for by letter' });
}

/** The words that name the payer in a text, without the texts about others: one of those contains the payer's reference. */
function namedIn(all: string): readonly string[] {
  const text = OTHER_NAMES.reduce((rest, each) => rest.replaceAll(each, ''), all);
  const folded = text.normalize('NFC').toLowerCase();
  const spelled = SPELLINGS.filter((each) => text.includes(each) || text.includes(JSON.stringify(each).slice(1, -1)));
  return [...WORDS.filter((word) => folded.includes(word)), ...spelled];
}

/**
 * The tables with a row that names the payer in any column, by the ledger's own search, by plain words, or in a spelling as it was
 * written; bytes are also read as text.
 */
async function tablesThatName({ db }: Stage): Promise<readonly string[]> {
  const { rows: tables } = await db.query<{ name: string; bytes: string[] }>(
    `select table_name as name, coalesce(array_agg(column_name::text) filter (where data_type = 'bytea'), '{}') as bytes
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and table_type = 'BASE TABLE' group by table_name order by table_name`,
  );
  const found: string[] = [];
  for (const { name, bytes } of tables) {
    const columns = ['t::text', ...bytes.map((column) => `encode(t.${column}, 'escape')`)].join(', ');
    const { rows } = await db.query<{ text: string; named: boolean }>(
      `select text, names_any(text, $1) as named from ${name} t cross join lateral concat_ws(' ', ${columns}) as text`,
      [TERMS],
    );
    if (rows.some(({ text, named }) => named || namedIn(text).length > 0)) found.push(name);
  }
  return found;
}

interface Read {
  readonly what: string;
  readonly status: number;
  readonly text: string;
}

/** Makes every GET request of the description as an admin, in every media type that it supports, and reads lists to their end. */
async function readEverything(stage: Stage, life: ErasedLife): Promise<readonly Read[]> {
  const { url, keys } = stage;
  const described = (await ask(url, { method: 'GET', path: '/openapi.json', key: keys.admin })).text;
  const reads: Read[] = [];
  for (const operation of readDescription(described).operations.filter(({ method }) => method === 'GET')) {
    for (const accept of Object.keys(operation.answers['200']?.content ?? {})) {
      for (let path: string | null = pathOf(operation, life); path !== null;) {
        const { status, text } = await askWhenReady(url, { method: 'GET', path, key: keys.admin, headers: { accept } });
        reads.push({ what: `${operation.operationId} as ${accept}`, status, text });
        path = nextPage(path, accept, status, text);
      }
    }
  }
  return reads;
}

function pathOf({ url, parameters }: Operation, { paymentId, endpointId, jobId }: ErasedLife): string {
  const id = [
    ...(url.includes('/payments/') ? [paymentId] : []),
    ...(url.includes('/webhook-endpoints/') ? [endpointId] : []),
    ...(url.includes('/jobs/') ? [jobId] : []),
    ID,
  ][0];
  const path = url
    .replace('{id}', String(id))
    .replace('{reference}', encodeURIComponent(reference))
    .replace(/\{\w+\}/, '0');
  return parameters.some(({ name }) => name === 'limit') ? `${path}?limit=200` : path;
}

/** The path of the next page; null after the last one. The feed of events always names a next page, at its end the same one. */
function nextPage(path: string, accept: string, status: number, text: string): string | null {
  if (status !== 200 || accept !== 'application/json') return null;
  const { items = [], nextCursor = null } = JSON.parse(text) as { items?: unknown[]; nextCursor?: string | null };
  if (nextCursor === null || items.length === 0) return null;
  const name = path.startsWith('/v1/events') ? 'after' : 'cursor';
  return `${path.split('?')[0] ?? ''}?limit=200&${name}=${encodeURIComponent(nextCursor)}`;
}

/** Checks what people read outside of the API: logs and Temporal. */
async function checkOutside({ stack, programs }: Stage): Promise<readonly Check[]> {
  const places = [
    ...programs.map((program) => ({
      name: `log of the ${program.name}`,
      text: outputOf(program),
      witness: '"level":',
    })),
    { name: 'Temporal', text: await temporalText(stack), witness: ID },
  ];
  return places.map(({ name, text, witness }) => {
    const unread = text.includes(witness) ? [] : [`${witness} is not in it: it was not read`];
    return noneOf(`erasure: ${name}`, [...unread, ...namedIn(text)], `${text.length} characters`);
  });
}

/** The texts about others that are gone from the reasons of halts, which belong to no payer. */
async function lostTexts({ db }: Stage): Promise<readonly string[]> {
  const { rows } = await db.query<{ reason: string }>(
    `select data ->> 'reason' as reason from events where type like 'halt.%'`,
  );
  return OTHER_NAMES.filter((text) => !rows.some(({ reason }) => reason === `${text} was here`));
}
