import { Counter, Histogram, Registry } from 'prom-client';
import { strangeSeries } from './known-series';
import { parsePromql } from './promql';

test.each([
  ['a bracket that is not closed', 'max(dueday_halted', 'no PromQL'],
  ['two metrics side by side', 'dueday_halted dueday_ledger_up', 'no PromQL'],
  ['a rate of an instant', 'rate(dueday_attempts_total)', 'rate is given no such operand'],
  ['an absence over a stretch', 'absent(dueday_halted[5m])', 'absent is given no such operand'],
  ['a selector without a metric', '{job="dueday"} > 0', 'names no metric'],
  ['no text at all', '', 'no PromQL'],
])('PromQL with %s is refused', (_, expression, message) => {
  expect(() => parsePromql(expression)).toThrow(message);
});

test('a metric, a label and a grouping label that do not exist are reported', () => {
  const registry = new Registry();
  const [common, registers] = [{ help: 'of the test' }, [registry]];
  new Counter({ ...common, name: 'dueday_attempts_total', labelNames: ['outcome'], registers });
  new Histogram({ ...common, name: 'dueday_attempt_lateness_seconds', registers });
  const strange = (expression: string) => strangeSeries(parsePromql(expression), registry);
  expect(strange('sum by (outcome) (rate(dueday_attempts_total{outcome="unknown"}[5m]))')).toEqual([]);
  expect(strange('sum by (le) (rate(dueday_attempt_lateness_seconds_bucket{job="dueday"}[5m]))')).toEqual([]);
  expect(strange('dueday_attempts + dueday_attempt_lateness_seconds')).toEqual([
    'dueday_attempts',
    'dueday_attempt_lateness_seconds',
  ]);
  expect(strange('dueday_attempts_total{operation="initiate"}')).toEqual(['dueday_attempts_total{operation}']);
  expect(strange('max by (pool) (dueday_attempts_total)')).toEqual(['by (pool)']);
});
