/**
 * Loaded into dueday's program before anything else (`node -r`), by tests only: kills or freezes the process at one
 * exact point of an attempt, or of the request for a consent. The program itself does not know of it.
 *
 * BREAK_POINTS: JSON `[{ "subscriptionId", "point", "signal" }]`; for a one-time payment, `subscriptionId` is the plan,
 * because the id is not known beforehand. BREAK_MARKS: a folder in which the first process that comes to a point writes
 * a file named after the subscription, with its process id; later processes pass the point.
 */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const INSERTS_SEND = /\b(?:begin_send|write_send)\(/;
const OPENS_SESSION = /^\s*update (?:subscriptions|payments)\s+set status = 'pending_consent'/;
const RECORDS_OUTCOME = /\b(?:settle_send|record_accepted|record_collected)\(/;

if (isMainThread && process.env.BREAK_POINTS !== undefined) arm(JSON.parse(process.env.BREAK_POINTS));

function arm(breakPoints) {
  const payments = new Map();
  watchLedger(reach, payments);
  watchRequests(reach, payments);

  /** Kills the process, and so never returns, or returns true if the process must be frozen. */
  function reach(point, subscriptionId) {
    const hit = breakPoints.find((each) => each.point === point && each.subscriptionId === subscriptionId);
    if (hit === undefined || !isFirst(hit)) return false;
    if (hit.signal === 'SIGKILL') process.kill(process.pid, hit.signal);
    return hit.signal === 'SIGSTOP';
  }
}

function isFirst({ subscriptionId }) {
  try {
    writeFileSync(join(process.env.BREAK_MARKS, subscriptionId), String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** Real ms after which a worker that was asked to stop no longer polls Temporal for work. */
const UNTIL_IT_ASKS_NO_MORE = 1_000;

/** Freezes the process while it drains: work that Temporal hands to a frozen process would be late by a minute. */
function freeze(goOn) {
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => {
    process.kill(process.pid, 'SIGSTOP');
    setTimeout(goOn, 10);
  }, UNTIL_IT_ASKS_NO_MORE);
}

/** Recognizes a transaction by its first statement with a break point; a single statement may be a whole transaction. */
function watchLedger(reach, payments) {
  const { Client } = require('pg');
  const query = Client.prototype.query;
  const transactions = new WeakMap();
  const open = new WeakSet();
  Client.prototype.query = function (...asked) {
    // A prepared statement is passed as one object, with its name and its values.
    const [first, beside] = asked;
    const { text, values } = typeof first === 'string' ? { text: first, values: beside } : first;
    const answer = () => query.apply(this, asked);
    if (typeof text !== 'string') return answer();
    const committing = (...all) => {
      for (const { subscriptionId, writes } of all) reach(`before the commit of ${writes}`, subscriptionId);
      const committed = () => {
        for (const { subscriptionId, writes } of all) reach(`after the commit of ${writes}`, subscriptionId);
      };
      const told = asked.at(-1);
      if (typeof told !== 'function') return answer().then((result) => (committed(), result));
      const tell = (error, result) => {
        if (error == null) committed();
        told(error, result);
      };
      return query.apply(this, [...asked.slice(0, -1), tell]);
    };
    if (text.startsWith('begin')) {
      transactions.delete(this);
      open.add(this);
    } else if (text === 'rollback') open.delete(this);
    const inserting = (given) => {
      const { subscription_id: subscriptionId, payment_id: paymentId } = rowIn(given);
      payments.set(paymentId, subscriptionId);
      return { subscriptionId, writes: 'the row' };
    };
    const recording = (given) => {
      const { subscription_id: subscriptionId, state } = rowIn(given);
      reach(`before the outcome ${state}`, subscriptionId);
      return { subscriptionId, writes: `the outcome ${state}` };
    };
    if (text.includes('write_steps(')) {
      const steps = JSON.parse(values[0]);
      return committing(...steps.map((step) => (step.name === 'begin_send' ? inserting : recording)(step.values)));
    }
    if (INSERTS_SEND.test(text)) {
      const row = inserting(values);
      if (!open.has(this)) return committing(row);
      transactions.set(this, row);
    }
    if (OPENS_SESSION.test(text)) {
      return answer().then((result) => {
        const subscriptionId = result.rows[0]?.plan ?? values[0];
        transactions.set(this, { subscriptionId, writes: 'the session' });
        return result;
      });
    }
    if (RECORDS_OUTCOME.test(text)) {
      const outcome = recording(values);
      if (!open.has(this)) return committing(outcome);
      transactions.set(this, outcome);
    }
    if (text !== 'commit') return answer();
    open.delete(this);
    const transaction = transactions.get(this);
    return transaction === undefined ? answer() : committing(transaction);
  };
}

/** The row of the send, which a function takes as JSON among its first values. */
function rowIn(values) {
  const json = values.find((value) => typeof value === 'string' && value.startsWith('{"subscription_id"'));
  return JSON.parse(json);
}

function watchRequests(reach, payments) {
  const { Agent } = require('undici');
  const { dispatch } = Agent.prototype;
  Agent.prototype.dispatch = function (options, handler) {
    const [, paymentId] = /\/([^/]+)\/authorizations$/.exec(options.path) ?? [];
    const subscriptionId = options.method === 'POST' ? payments.get(paymentId) : undefined;
    if (subscriptionId === undefined) return dispatch.call(this, options, handler);
    if (reach('before the POST', subscriptionId)) {
      freeze(() => dispatch.call(this, options, handler));
      return true;
    }
    const onResponseStart = handler.onResponseStart;
    handler.onResponseStart = function (...head) {
      reach('at the answer', subscriptionId);
      return onResponseStart.apply(this, head);
    };
    return dispatch.call(this, options, handler);
  };
}
