import type { Registry } from 'prom-client';
import { documentedMetrics } from '../docs/documented-metrics';
import type { Expression } from './promql';

/** Labels that Prometheus adds, and those of Temporal Core's metrics. */
const OF_PROMETHEUS = ['instance', 'job'];
const OF_CORE = [
  'activity_type',
  'le',
  'namespace',
  'operation',
  'poller_type',
  'task_queue',
  'worker_type',
  'workflow_type',
];

/**
 * What is wrong with the series that the expression asks for: a metric that docs/operations.md does not list, or a label that
 * the metric does not have. None where all is well.
 */
export function strangeSeries({ selectors, grouping }: Expression, registry: Registry): readonly string[] {
  const known = knownSeries(registry);
  const strange = selectors.flatMap(({ metric, labels }) => {
    const own = known.get(metric);
    if (own === undefined) return [metric];
    return labels.filter((label) => !own.includes(label)).map((label) => `${metric}{${label}}`);
  });
  const grouped = selectors.flatMap(({ metric }) => known.get(metric) ?? []);
  return [...strange, ...grouping.filter((label) => !grouped.includes(label)).map((label) => `by (${label})`)];
}

/** The labels of each series that is documented; of a histogram, of the three that it is shown as. */
function knownSeries(registry: Registry): ReadonlyMap<string, readonly string[]> {
  const series = new Map<string, readonly string[]>();
  for (const metric of registry.getMetricsAsArray()) {
    const labels = [...('labelNames' in metric ? (metric.labelNames as string[]) : []), ...OF_PROMETHEUS];
    if (!documentedMetrics('dueday_').includes(metric.name)) continue;
    if (String(metric.type) !== 'histogram') series.set(metric.name, labels);
    else seriesOf(metric.name).forEach((name) => series.set(name, [...labels, 'le']));
  }
  for (const name of documentedMetrics('temporal_')) {
    const shown = name.endsWith('_latency_seconds') ? seriesOf(name) : [name];
    shown.forEach((each) => series.set(each, [...OF_CORE, ...OF_PROMETHEUS]));
  }
  return series;
}

function seriesOf(histogram: string): readonly string[] {
  return ['bucket', 'count', 'sum'].map((part) => `${histogram}_${part}`);
}
