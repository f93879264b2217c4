import { bodyOf, type Exchange, field, items, result, text } from '../exchange';
import { CannotBeTried, Differs, isRefused } from '../outcome';
import { captured, collect, collected, refund, subscribed } from '../plays';
import { DAY } from '../requests';
import { type Row, rowsOf } from '../row';
import type { Stage } from '../stage';
import type { Trial } from '../world';

/** What dueday relies on when it checks before it sends: lists are complete, ids unique and refusals final. */

/** More than the ten or so that a first page often has. */
const MANY = 12;
/** Days after which a record is searched for again; the first is the lowest value that PAYMENT_SERVICE_LIST_DAYS accepts. */
const AGES = [7, 13, 29, 59, 89, 179, 364, 400];
const POLLS = 30;

function idsOf(answer: Exchange, idField = 'authorizationId'): readonly (string | undefined)[] {
  return items(bodyOf(answer)).map((one) => text(one, idField));
}

async function collectWeeks(stage: Stage, weeks: number): Promise<Trial> {
  const trial = await subscribed(stage, 'WEEKLY');
  for (let week = 0; week < weeks; week += 1) {
    if (week > 0) await stage.until(trial, trial.firstPaymentAt + week * 7 * DAY);
    await collected(stage, trial);
  }
  return trial;
}

async function listsAreWhole(stage: Stage): Promise<void> {
  const trial = await subscribed(stage, 'WEEKLY');
  const made: (string | undefined)[] = [];
  for (let week = 0; week < MANY; week += 1) {
    if (week > 0) await stage.until(trial, trial.firstPaymentAt + week * 7 * DAY);
    made.push(text(bodyOf(await collect(stage, trial)), 'authorizationId'));
    await stage.final(trial, 'authorizations');
  }
  const answer = await stage.authorizations(trial);
  const listed = idsOf(answer);
  const left = made.filter((id) => id === undefined || !listed.includes(id));
  if (left.length > 0)
    throw new Differs(answer, `the list should have all ${MANY} authorizations; it lacks ${left.length}`);
  const more = saysMore(answer, listed.length);
  if (more !== null)
    throw new Differs(answer, `the list has all ${MANY} authorizations, and says that there are more: ${more}`);
}

function saysMore(answer: Exchange, count: number): string | null {
  const body = bodyOf(answer);
  if (field(body, 'hasMore') === true) return 'hasMore';
  if (text(body, 'nextCursor') !== undefined) return 'nextCursor';
  if (Number(field(body, 'total') ?? 0) > count) return 'total';
  const link = String(answer.answer.headers['link'] ?? '');
  return /rel="?next"?/.test(link) ? 'Link' : null;
}

async function listsGoBack(stage: Stage): Promise<void> {
  const trial = await subscribed(stage);
  const createdAt = await collected(stage, trial);
  const [id] = idsOf(await stage.authorizations(trial));
  let seen = 0;
  for (const days of AGES) {
    await stage.until(trial, createdAt + days * DAY);
    const answer = await stage.authorizations(trial);
    if (!idsOf(answer).includes(id)) {
      const advice =
        seen === 0
          ? `: dueday needs lists that go back ${days} days or more`
          : `; one of ${seen} days was: set PAYMENT_SERVICE_LIST_DAYS=${seen}`;
      throw new Differs(answer, `an authorization of ${days} days ago is no longer listed${advice}`);
    }
    seen = days;
  }
}

async function idsAreUnique(stage: Stage): Promise<void> {
  const trial = await collectWeeks(stage, 2);
  await captured(stage, trial);
  const captures = await stage.captures(trial);
  unique(await stage.authorizations(trial), 'authorizationId', 2);
  unique(captures, 'captureId', 2);
  const [captureId] = idsOf(captures, 'captureId');
  for (let n = 1; n <= 2; n += 1) await refund(stage, trial, n * 100, captureId);
  unique(await stage.refunds(trial), 'refundId', 2);
}

function unique(answer: Exchange, idField: string, count: number): void {
  const ids = new Set(idsOf(answer, idField));
  if (ids.size === count) return;
  throw new Differs(answer, `${count} records should have as many ids in ${idField}; there are ${ids.size}`);
}

async function refusalsAreFinal(stage: Stage): Promise<void> {
  const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects once, retryable' });
  if (!isRefused(await collect(stage, trial))) {
    throw new CannotBeTried("the payer's bank did not reject the payment");
  }
  for (let poll = 0; poll < POLLS; poll += 1) {
    const listed = await stage.authorizations(trial);
    const alive = items(bodyOf(listed)).find((one) => MOVES_MONEY.includes(String(result(one))));
    if (alive !== undefined) {
      throw new Differs(listed, `a refused payment should stay refused; it is listed as ${String(result(alive))}`);
    }
    const captures = await stage.captures(trial);
    if (items(bodyOf(captures)).length > 0) throw new Differs(captures, 'a refused payment should not be captured');
    await stage.world.settle(trial);
    await stage.world.rest();
  }
  stage.remark('a refusal that is reversed after this run is not seen');
}

const MOVES_MONEY = ['pending', 'successful'];

async function listsInTime(stage: Stage): Promise<void> {
  const trial = await subscribed(stage);
  const made = await collect(stage, trial);
  const id = text(bodyOf(made), 'authorizationId');
  if (id === undefined) throw new Differs(made, 'the answer should name the authorization');
  for (let poll = 0; ; poll += 1) {
    const answer = await stage.authorizations(trial);
    if (idsOf(answer).includes(id)) {
      if (poll > 0)
        stage.remark(
          `it was listed only at poll ${poll + 1}: keep PAYMENT_SERVICE_SETTLE_SECONDS well above that delay`,
        );
      return;
    }
    if (poll === POLLS)
      throw new Differs(answer, `the list should have ${id} by now; after ${POLLS} polls it still lacks it`);
    await stage.world.rest();
  }
}

export const LIST_ASSUMPTIONS: readonly Row[] = rowsOf(
  'Endpoints',
  {
    'assumptions/lists-whole': [
      'the list has all authorizations of a payment, and does not say that there are more',
      listsAreWhole,
    ],
    'assumptions/list-days': [
      'the list has no age limit; otherwise PAYMENT_SERVICE_LIST_DAYS says how many days it covers',
      listsGoBack,
    ],
    'assumptions/ids-unique': [
      'each authorization, capture and refund of a payment has an id of its own',
      idsAreUnique,
    ],
    'assumptions/refusals-final': [
      'a payment that was refused is not booked, and not listed as pending or successful later',
      refusalsAreFinal,
    ],
    'assumptions/list-lag': ['a new authorization is listed within the settle time', listsInTime],
  },
  'assumption',
);
