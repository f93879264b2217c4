import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { registeredMetrics, strangeSeries } from './known-series';
import { parsePromql } from './promql';
import { installedPromtool } from './rules-engine';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const ROOT = join(__dirname, '../..');
const { groups } = parse(readFileSync(join(ROOT, 'deploy/prometheus/rules.yaml'), 'utf8')) as {
  groups: { name: string; rules: Rule[] }[];
};
const RULES = groups.flatMap(({ rules }) => rules);
const RUNBOOKS = 'docs/guides/runbooks';

/** The runbook of an alert: `dueday-halted.md` for `DuedayHalted`. */
function pageOf(alert: string): string {
  return `${alert.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()}.md`;
}

function runbookOf(alert: string): string {
  return readFileSync(join(ROOT, RUNBOOKS, pageOf(alert)), 'utf8');
}

let registry: Registry;
beforeAll(async () => {
  registry = await registeredMetrics();
});

test.each(RULES)('$alert uses series that exist, and has a duration, a severity and a summary', (rule) => {
  expect(strangeSeries(parsePromql(rule.expr), registry)).toEqual([]);
  expect(rule).toEqual({
    alert: expect.stringMatching(/^Dueday[A-Z][A-Za-z]+$/),
    expr: rule.expr,
    for: expect.stringMatching(/^\d+[mhd]$/),
    labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
    annotations: { summary: expect.stringMatching(/^\S.{10,}/), runbook: expect.any(String) },
  });
});

test.each(RULES)('the runbook of $alert is a page of its own: what it means, what to check, what to do', (rule) => {
  expect(rule.annotations.runbook).toBe(`${RUNBOOKS}/${pageOf(rule.alert)}`);
  const points = [...runbookOf(rule.alert).matchAll(/^- \*\*(\w+)\*\*: \S/gm)].map(([, point]) => point);
  expect(points).toEqual(['Means', 'Check', 'Do']);
});

/** A test of `promtool test rules`: when an alert is silent, and when it fires. */
interface Trial {
  readonly input_series: readonly { readonly series: string }[];
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly object[] }[];
}

const TRIALS = (parse(readFileSync(join(ROOT, 'deploy/prometheus/rules.test.yaml'), 'utf8')) as { tests: Trial[] })
  .tests;

test.each(RULES)('rules.test.yaml tests $alert silent and firing, on series that exist', ({ alert, expr }) => {
  const trials = TRIALS.filter(({ alert_rule_test: [first] }) => first?.alertname === alert);
  expect(trials).not.toEqual([]);
  for (const { input_series: series, alert_rule_test: times } of trials) {
    expect(times.map(({ alertname, exp_alerts: alerts }) => [alertname, alerts.length])).toEqual([
      [alert, 0],
      [alert, 1],
    ]);
    const given = series.map((each) => parsePromql(each.series));
    expect(given.flatMap((each) => strangeSeries(each, registry))).toEqual([]);
    const asked = parsePromql(expr).selectors.map(({ metric }) => metric);
    expect(given.filter(({ selectors }) => !asked.includes(selectors[0]!.metric))).toEqual([]);
  }
});

const promtool = installedPromtool();
(promtool === null ? test.skip : test)(
  'promtool, if installed or built, finds each alert silent and firing as described',
  () => {
    const file = join(ROOT, 'deploy/prometheus/rules.test.yaml');
    const { status, stdout, stderr } = spawnSync(promtool!, ['test', 'rules', file], { encoding: 'utf8' });
    expect({ status, said: `${stdout}${stderr}` }).toEqual({ status: 0, said: expect.stringContaining('SUCCESS') });
  },
);

test('every runbook belongs to an alert, and operate.md links it under the severity of the alert', () => {
  expect(readdirSync(join(ROOT, RUNBOOKS)).toSorted()).toEqual(
    [...new Set(RULES.map(({ alert }) => pageOf(alert)))].toSorted(),
  );
  const page = readFileSync(join(ROOT, 'docs/guides/operate.md'), 'utf8');
  const linked = ['critical', 'warning'].flatMap((severity) => {
    const [, line = ''] = new RegExp(`^- \\*\\*${severity}\\*\\*: (.+)$`, 'm').exec(page) ?? [];
    return [...line.matchAll(/\[(\w+)\]\(runbooks\/([\w-]+\.md)\)/g)].map(([, alert, file]) => [severity, alert, file]);
  });
  const alerts = RULES.map(({ alert, labels }) => [labels.severity, alert, pageOf(alert)]);
  expect(linked.toSorted()).toEqual(alerts.toSorted());
});

test('runbooks name commands that exist', () => {
  const commands = readFileSync(join(ROOT, 'docs/reference/commands.md'), 'utf8');
  const runbooks = RULES.map(({ alert }) => runbookOf(alert)).join('\n');
  const named = [...runbooks.matchAll(/`node bin\/dueday\.js ([a-z-]+(?: [a-z-]+)?)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !commands.includes(`\n## ${name}\n`))).toEqual([]);
});

test("summaries of alerts use only labels that the alert's expression keeps", () => {
  const strange = RULES.flatMap(({ alert, expr, annotations }) => {
    const { grouping, selectors } = parsePromql(expr);
    // An expression that groups by nothing keeps the labels of its series.
    const kept = grouping.length > 0 ? grouping : selectors.flatMap(({ metric }) => LABELS_KEPT[metric] ?? []);
    const shown = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label);
    return shown.filter((label) => !kept.includes(label)).map((label) => `${alert}: ${label}`);
  });
  expect(strange).toEqual([]);
});

/** The labels by which an alert fires for each series separately. */
const LABELS_KEPT: Readonly<Record<string, readonly string[]>> = {
  dueday_database_connections_wanted: ['pool'],
  dueday_daily_check_age_seconds: ['check'],
};
