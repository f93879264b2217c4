/**
 * `npm run security [-- --requests 5000] [--seed N]`: attacks a real API: every role and scope on every call, bodies that
 * cannot be right or cost as much as possible, guessed keys, requests that trickle, searches without end, messages sent to
 * Temporal past the API, requests generated from the description, addresses and texts that must not pass; pairs of keys that
 * one person may have had in hand; a payer who is named in every spelling in every text, and is then erased; at last a whole
 * life with unmistakable names and secrets, which must show up nowhere. The seed is said first: with it the same requests are
 * sent again. Needs a build. Last line: `security: N checks, 0 failed`.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Check, runCampaign, say, sayCheck, sumUp } from '../support/campaign';
import { interruption } from '../support/interruption';
import { campaign } from './campaign';
import type { GeneratedOrder } from './generated';

function readOrder(): GeneratedOrder {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '5000' }, seed: { type: 'string' } },
  });
  const numberOf = (name: string, value: string, least: number) => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= least) return Number(value);
    throw new RangeError(`--${name}: expected a whole number from ${least} to 999999999; got ${value}`);
  };
  const seed = values.seed === undefined ? randomInt(1_000_000_000) : numberOf('seed', values.seed, 0);
  return { requests: numberOf('requests', values.requests, 1), seed };
}

async function main(): Promise<number> {
  const order = readOrder();
  say(`seed ${order.seed}`);
  const checks: Check[] = [];
  await campaign(order, interruption(), (check) => {
    checks.push(check);
    sayCheck(check);
  });
  return sumUp('security', checks);
}

runCampaign(main);
