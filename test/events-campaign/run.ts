/**
 * `npm run events -- [--due 10000] [--kills 20] [--seed N]`: `--due` subscriptions are collected in one instant, three endpoints
 * are notified (one down until its tries are used up, one slow, one healthy), and workers, APIs, PostgreSQL and Temporal are killed
 * at random. Each event must arrive at each endpoint, in order within its subscription, with the id that the ledger has. Last line:
 * `events: N delivered, 0 lost, 0 out of order`.
 *
 * `npm run events -- --rates [--due 3000]`: no process is killed; compares the rate of collecting with endpoints and without. Last
 * line: `events: 2 ratios, 0 too low`. Both need the machine to themselves; creating 10,000 takes a quarter of an hour or more.
 *
 * `npm run events -- --outage 17 [--due 100]`: no process is killed; one endpoint is down for this many minutes of real time,
 * with the default waits between tries. Last line: `events: N delivered after the outage, 0 lost,
 * 0 out of order, 0 repeated`.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runCampaign, say } from '../support/campaign';
import { interruption } from '../support/interruption';
import { campaign, type CampaignOrder } from './campaign';
import { playOutage } from './outage';
import { measureRates } from './rates';

interface Order {
  readonly due: number | null;
  readonly kills: number;
  readonly seed: number;
  readonly rates: boolean;
  /** Real minutes of the outage; null for another campaign. */
  readonly outage: number | null;
}

function readOrder(): Order {
  const { values } = parseArgs({
    options: {
      due: { type: 'string' },
      kills: { type: 'string', default: '20' },
      seed: { type: 'string' },
      rates: { type: 'boolean' },
      outage: { type: 'string' },
    },
  });
  const numberOf = (name: string, value: string, least: number) => {
    if (/^\d{1,10}$/.test(value) && Number(value) >= least) return Number(value);
    throw new RangeError(`--${name}: expected a whole number from ${least} on; got ${value}`);
  };
  const due = values.due === undefined ? null : numberOf('due', values.due, 10);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : numberOf('seed', values.seed, 0);
  const outage = values.outage === undefined ? null : numberOf('outage', values.outage, 1);
  return { due, seed, outage, kills: numberOf('kills', values.kills, 0), rates: values.rates ?? false };
}

/** @returns whether all holds */
async function playOnce(order: CampaignOrder, giveUp: AbortSignal): Promise<boolean> {
  say(`seed ${order.seed}`);
  const { endpoints, broken } = await campaign(order, giveUp, say);
  for (const { name, delivered, lost, outOfOrder, strange, refused, forged, lag } of endpoints) {
    const other = `${strange} strange, ${forged} forged, ${refused} refused while it was down`;
    say(`${name}: ${delivered} delivered, ${lost} lost, ${outOfOrder} out of order, ${other}, p99 lag ${lag} ms`);
  }
  broken.forEach((each) => say(`FAILED ${each}`));
  const sum = (of: (each: (typeof endpoints)[number]) => number) => endpoints.reduce((all, each) => all + of(each), 0);
  const [lost, outOfOrder] = [sum((each) => each.lost), sum((each) => each.outOfOrder)];
  say(`events: ${sum((each) => each.delivered)} delivered, ${lost} lost, ${outOfOrder} out of order`);
  return lost + outOfOrder + sum(({ strange, forged }) => strange + forged) + broken.length === 0;
}

/** @returns whether all holds */
async function runRates(due: number, giveUp: AbortSignal): Promise<boolean> {
  const ratios = await measureRates(due, giveUp, say);
  const isLow = ({ ratio, least }: (typeof ratios)[number]) => ratio < least;
  for (const each of ratios) {
    const { mode, ratio, least } = each;
    say(`${isLow(each) ? 'FAILED' : 'ok    '} ${mode}: ${ratio.toFixed(3)} of the rate without endpoints (${least})`);
  }
  const low = ratios.filter(isLow).length;
  say(`events: ${ratios.length} ratios, ${low} too low`);
  return low === 0;
}

/** @returns whether all holds */
async function runOutage(minutes: number, due: number, giveUp: AbortSignal): Promise<boolean> {
  const { delivered, lost, outOfOrder, repeated, broken } = await playOutage({ minutes, due }, giveUp, say);
  broken.forEach((each) => say(`FAILED ${each}`));
  const count = `${lost} lost, ${outOfOrder} out of order, ${repeated} repeated`;
  say(`events: ${delivered} delivered after the outage, ${count}`);
  return lost + outOfOrder + repeated + broken.length === 0;
}

async function main(): Promise<number> {
  const { due, kills, seed, rates, outage } = readOrder();
  const giveUp = interruption();
  const play = () => {
    if (outage !== null) return runOutage(outage, due ?? 100, giveUp);
    if (rates) return runRates(due ?? 3_000, giveUp);
    return playOnce({ due: due ?? 10_000, kills, seed }, giveUp);
  };
  return (await play()) ? 0 : 1;
}

runCampaign(main);
