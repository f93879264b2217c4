import { issueKey } from '../../src/admin/access/key-ring';
import { askJson } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { OPENED_AT, openStage, type Stage } from './stage';

interface Key {
  readonly key: string;
  readonly keyId: string;
}

type Verdict = 'forbidden' | 'approved';

/** Who asks for a capture above the amount, who approves, and whether these are two persons. */
interface Pair {
  readonly what: string;
  readonly asks: Key;
  readonly approves: Key;
  readonly expected: Verdict;
}

/** Cents: the lowest amount that needs an approval; each pair captures another one. */
const GUARDED_FROM = 1_001;

/** Checks approvals on a separate stage, on which a capture above 10.00 EUR needs a second person. */
export async function checkFourEyes(): Promise<readonly Check[]> {
  const stage = await openStage({ APPROVAL_ABOVE_CENTS: String(GUARDED_FROM - 1) });
  try {
    const pairs = await pairsOf(stage);
    const wrong: string[] = [];
    for (const [n, pair] of pairs.entries()) {
      const verdict = await verdictOn(stage, pair, GUARDED_FROM + n);
      if (verdict !== pair.expected) wrong.push(`${pair.what}: ${verdict}`);
    }
    return [
      noneOf('four eyes: a request is approved by another person only', wrong, `${pairs.length} pairs of keys`),
      noneOf('four eyes: a holder has a name in ASCII', await takenHolders(stage), `${HOLDERS.length} holders`),
    ];
  } finally {
    await stage.close();
  }
}

async function pairsOf(stage: Stage): Promise<readonly Pair[]> {
  const [ada, grace, lin] = await Promise.all(
    ['Ada Byron', 'Grace Hopper', 'Lin Clark'].map((each) => keyOf(stage, each)),
  );
  const [nobody, between] = [await keyOf(stage, null), await keyOf(stage, 'Fay Ann', ada)];
  const [ofNobody, below] = [await keyOf(stage, 'Bea Lee', nobody), await keyOf(stage, 'Gus Roe', between)];
  const [second, beside] = [await keyOf(stage, 'ada byron'), await keyOf(stage, 'Kim Poe', ada)];
  const pair = (what: string, asks: Key, approves: Key, expected: Verdict = 'forbidden') => ({
    ...{ what, asks, approves, expected },
  });
  return [
    pair('two persons', lin!, grace!, 'approved'),
    pair('the same key', lin!, lin!),
    pair('two keys of one person, in other letters', ada!, second),
    pair('a key without a holder asks', nobody, grace!),
    pair('a key without a holder approves', lin!, nobody),
    pair('what a key without a holder has created asks', ofNobody, grace!),
    pair('what a key without a holder has created approves', lin!, ofNobody),
    pair('the creator of the asking key approves', between, ada!),
    pair('the creator of the approving key asks', ada!, between),
    pair('the indirect creator of the asking key approves', below, ada!),
    pair('the indirect creator of the approving key asks', ada!, below),
    pair('one person has created both', between, beside),
    pair('a third person approves what was created indirectly', below, grace!, 'approved'),
  ];
}

let count = 0;

/** An admin key, with a record of the key by which it was created. */
async function keyOf({ db }: Stage, holder: string | null, by?: Key): Promise<Key> {
  const act = { actor: 'campaign', reason: null, at: OPENED_AT, realAt: Date.now(), ...(by && { keyId: by.keyId }) };
  const issued = await issueKey(db, { name: `four eyes ${(count += 1)}`, role: 'admin', holder }, act);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { key: issued.key, keyId: issued.record.keyId };
}

async function verdictOn({ url, payments }: Stage, { asks, approves }: Pair, cents: number): Promise<string> {
  const path = `/v1/payments/${payments[0] ?? ''}/captures`;
  const asked = await askJson(url, asks.key, 'POST', path, { amount: { value: cents, currency: 'EUR' } });
  const { code, approvalId = '' } = JSON.parse(asked.text) as { code: string; approvalId?: string };
  if (code !== 'approval_required') return code;
  const decided = await askJson(url, approves.key, 'POST', `/v1/approvals/${approvalId}/approve`, { reason: 'seen' });
  return decided.status === 200 ? 'approved' : (JSON.parse(decided.text) as { code: string }).code;
}

const HOLDERS = ['\u0410da Byron', 'Zo\u00eb', 'Ada\u200b Byron', 'Ada\u00a0Byron', 'A\u0308da', 'Ada\tByron', '', ' '];

/** Names of holders that look like another name, or like none, and that the API nevertheless accepts; none is expected. */
async function takenHolders({ url, keys }: Stage): Promise<readonly string[]> {
  const taken: string[] = [];
  for (const [n, holder] of HOLDERS.entries()) {
    const body = { name: `holder ${n}`, role: 'viewer', holder };
    const { status } = await askJson(url, keys.admin, 'POST', '/v1/keys', body);
    if (status !== 400) taken.push(`${JSON.stringify(holder)}: ${status}`);
  }
  return taken;
}
