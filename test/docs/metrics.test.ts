import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { registeredMetrics } from '../observation/known-series';
import { documentedMetrics } from './documented-metrics';

let registry: Registry;
beforeAll(async () => {
  registry = await registeredMetrics();
});

const registered = () => registry.getMetricsAsArray();

test('docs/reference/metrics.md lists exactly the metrics of dueday', () => {
  const names = registered().map(({ name }) => name);
  expect(documentedMetrics('dueday_').toSorted()).toEqual(names.toSorted());
});

test('every alert uses metrics that are listed', () => {
  const rules = readFileSync(join(__dirname, '../../deploy/prometheus/rules.yaml'), 'utf8');
  const named = [...rules.matchAll(/\b(?:dueday|temporal)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(bucket|count|sum)$/, ''),
  );
  const known = new Set([...documentedMetrics('dueday_'), ...documentedMetrics('temporal_')]);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test('no label has unbounded values', () => {
  const labels = registered().flatMap((metric) => ('labelNames' in metric ? (metric.labelNames as string[]) : []));
  const allowed = [
    ...['check', 'endpoint', 'kind', 'method', 'operation', 'outcome', 'pool', 'route', 'state', 'status'],
    'task_queue',
  ];
  expect([...new Set(labels)].filter((label) => !allowed.includes(label)).toSorted()).toEqual([
    'major',
    'minor',
    'patch',
    'space',
    'type',
    'version',
  ]);
});
