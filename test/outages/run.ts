/**
 * `npm run outages [-- --only WORD …] [--record FOLDER]`: faults of servers, settings and what lies between them, each on real
 * processes: what `/readyz`, `dueday doctor`, the metrics, the alerts and the logs said, and when. The alerts are evaluated by
 * Prometheus's own engine over what was scraped every 15 seconds; it is built with Go once. About an hour; one fault takes six
 * minutes. Needs a build. Last line: `outages: N faults, 0 undetected, 0 false alarms, 0 double debits`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MINUTE, SECOND } from '../../src/domain/time';
import { createProgressLog } from '../../src/platform/log';
import { evaluateRules, notationOf, providePromtool, type Series } from '../observation/rules-engine';
import { runCampaign, say, sayCheck } from '../support/campaign';
import { interruption, unlessAborted } from '../support/interruption';
import type { Fault, Finding } from './fault';
import { FAULTS } from './faults';
import { play, type Verdict } from './play';
import { debitsOf, openStage, type Stage, untilCollected } from './stage';

/** Real ms in which nothing is wrong, before the first fault. */
const HEALTHY = 3 * MINUTE;

/** Lines of each process that are shown if the campaign itself fails. */
const SHOWN = 20;

interface Order {
  readonly faults: readonly Fault[];
  readonly record: string | undefined;
}

function readOrder(): Order {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true, default: [''] }, record: { type: 'string' } },
  });
  const faults = FAULTS.filter(({ name }) => values.only.some((word) => name.includes(word)));
  if (faults.length === 0)
    throw new RangeError(`--only: expected a part of ${FAULTS.map(({ name }) => name).join('; ')}`);
  return { faults, record: values.record };
}

async function main(): Promise<number> {
  const { faults, record } = readOrder();
  const promtool = await providePromtool(createProgressLog());
  const interrupted = interruption();
  const stage = await unlessAborted(interrupted, openStage);
  try {
    return await unlessAborted(interrupted, () => campaign(stage, faults, promtool, record));
  } catch (error) {
    for (const { role, process } of stage.started)
      say(`${role} said last:\n${`${process.stdout()}${process.stderr()}`.split('\n').slice(-SHOWN).join('\n')}`);
    throw error;
  } finally {
    await stage.close();
  }
}

async function campaign(
  stage: Stage,
  faults: readonly Fault[],
  promtool: string,
  record: string | undefined,
): Promise<number> {
  const verdicts = [await playHealth(stage, promtool)];
  tell(verdicts[0]!);
  for (const fault of faults) {
    const verdict = await play(stage, fault, promtool);
    tell(verdict);
    verdicts.push(verdict);
    if (record !== undefined) await write(record, verdict.fault, verdict.series);
  }
  return sumUp(verdicts, faults.length, debitsOf(stage, stage.payers).filter((count) => count > 1).length);
}

async function playHealth(stage: Stage, promtool: string): Promise<Verdict> {
  const payers = await stage.subscribe([40, 60, 80].map((seconds) => seconds * SECOND));
  await pause(HEALTHY);
  await untilCollected(stage, payers);
  const series = stage.recording.series(0);
  const falseAlarms = [...(await evaluateRules(promtool, series)).keys()];
  return { fault: 'nothing is wrong', detections: [], promises: [], falseAlarms, series };
}

function tell({ fault, detections, promises, falseAlarms }: Verdict): void {
  say(`— ${fault}`);
  [...detections, ...promises].forEach((each) => sayCheck(checkOf(each)));
  if (falseAlarms.length > 0) say(`FAILED false alarms: ${falseAlarms.join(', ')}`);
}

const checkOf = ({ what, holds, found }: Finding) => ({ name: what, holds, found });

/** Says the last line. @returns the exit code */
function sumUp(verdicts: readonly Verdict[], faults: number, doubleDebits: number): number {
  const fails = (findings: readonly Finding[]) => findings.some(({ holds }) => !holds);
  const undetected = verdicts.filter(({ detections }) => fails(detections)).length;
  const falseAlarms = verdicts.reduce((sum, verdict) => sum + verdict.falseAlarms.length, 0);
  const broken = verdicts.filter(({ promises }) => fails(promises)).map(({ fault }) => fault);
  if (broken.length > 0) say(`promises were broken: ${broken.join('; ')}`);
  say(
    `outages: ${faults} faults, ${undetected} undetected, ${falseAlarms} false alarms, ${doubleDebits} double debits`,
  );
  return undetected + falseAlarms + doubleDebits + broken.length === 0 ? 0 : 1;
}

/** The series in promtool's notation. */
async function write(folder: string, fault: string, series: readonly Series[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  const lines = series.map((each) => ({ series: each.series, values: notationOf(each.values) }));
  const name = `${fault.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}.json`;
  await writeFile(join(folder, name), `${JSON.stringify(lines, null, 1)}\n`);
}

runCampaign(main);
