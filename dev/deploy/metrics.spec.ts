import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Operation } from '#libs/contracts';
import { operations } from '#libs/operations';
import { createLogger, Metrics } from '#libs/platform';
import { anchorsOf } from './markdown.js';
import { deployedProcesses } from './process-settings.js';

const folder = fileURLToPath(new URL('../../k8s/monitoring/', import.meta.url));
const { rules } = (
  parse(readFileSync(`${folder}alerts.yaml`, 'utf8')) as {
    groups: [{ rules: { alert: string; expr: string; annotations: { runbook: string; summary: string } }[] }];
  }
).groups[0];

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}
const dashboards = readdirSync(`${folder}dashboards`).map(
  (file) => JSON.parse(readFileSync(`${folder}dashboards/${file}`, 'utf8')) as Dashboard,
);
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ),
];

/** The queries behind the autoscalers' metrics. The loop below puts a label matcher in place of their placeholders. */
const adapterRules = (
  parse(readFileSync(`${folder}prometheus-adapter.yaml`, 'utf8')) as {
    rules: { external: { name: { as: string }; seriesQuery: string; metricsQuery: string }[] };
  }
).rules.external;
for (const { name, seriesQuery, metricsQuery } of adapterRules)
  for (const query of [seriesQuery, metricsQuery])
    expressions.push([
      `The adapter's ${name.as}`,
      query.replaceAll('<<.LabelMatchers>>', 'service="content"'),
    ]);

/** `up`, and words with an underscore that are neither functions nor labels. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}/g, '').replace(/\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => name.includes('_') || name === 'up');
}

function labelsIn(expression: string): string[] {
  const filters = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, matchers = '']) =>
    [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
  );
  return [...filters, ...groupingLabelsIn(expression)];
}

const groupingLabelsIn = (expression: string) =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));

/** Prometheus adds these to every metric (k8s/monitoring/prometheus.yaml). */
const scrapeLabels = ['job', 'instance', 'namespace', 'pod', 'process'];

/** Registers the metrics, reports values, and returns the labels of each metric. Sets `textAtStart` (before the reports) and `text` (after them). */
async function exposedMetrics(): Promise<Map<string, Set<string>>> {
  const metrics = new Metrics('some');
  metrics.watchOutbox(() => Promise.resolve({ count: 0, oldestAgeSeconds: 0 }));
  metrics.watchQueue(() => Promise.resolve({ length: 0, pending: 0, lag: { content: 0 }, deadLetters: 0 }));
  metrics.watchPool(() => ({ used: 0, idle: 0, waiting: 0, limit: 10 }));
  const { observer, registry } = metrics;
  // Imports by path, because lint does not let this folder import `web/server`.
  const load = async (path: string) => (await import(`../../${path}.js`)) as Record<string, ModuleExport>;
  const { Traffic } = await load('apps/gateway/observe/traffic');
  const traffic = new Traffic!(registry, createLogger('spec', 'silent'));
  const { MailMetrics } = await load('apps/messaging/delivery/mail-metrics');
  const mails = new MailMetrics!(metrics);
  const { PaymentMetrics } = await load('apps/orders/payment/payment-metrics');
  const payments = new PaymentMetrics!(metrics);
  const { InboundMailMetrics } = await load('apps/projects/inbound-mail/inbound-mail.metrics');
  const inboundMails = new InboundMailMetrics!(metrics);
  const { createAnswerDurations } = await load('web/server/answer-durations');
  const answers = createAnswerDurations!(registry);
  textAtStart = await registry.metrics();
  observer.onRequest?.('banner.list', 1, 'ok', 1);
  observer.onEvent?.('orders.placed', 1, 'ok');
  observer.onCall?.('banner.list', 1, 'ok');
  traffic.record(
    { method: 'GET', url: '/banner', routeOptions: { url: '/banner', config: {} } },
    { raw: { statusCode: 200 }, elapsedTime: 3 },
    () => undefined,
  );
  mails.recordOutcome('sent');
  payments.countDecision('paid');
  payments.countVerification('genuine');
  inboundMails.recordOutcome('failed');
  answers.observe({ kind: 'render', status: 200 }, 0.01);
  text = await registry.metrics();
  const labelsOf = new Map([['up', new Set<string>()]]);
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{([^}]*)\})? /gm)) {
    const names = labelsOf.get(name!) ?? labelsOf.set(name!, new Set()).get(name!)!;
    for (const [, label] of labels.matchAll(/(\w+)="/g)) names.add(label!);
  }
  return labelsOf;
}

/** An export of a module that `load` imports. */
type ModuleExport = (new (
  ...args: unknown[]
) => Record<'record' | 'recordOutcome' | 'countDecision' | 'countVerification', Method>) &
  ((registry: unknown) => Record<'observe', Method>);
type Method = (...args: unknown[]) => void;

let textAtStart = '';
let text = '';

describe('monitoring', () => {
  let exposed: Map<string, Set<string>>;
  beforeAll(async () => {
    exposed = await exposedMetrics();
  });

  test.each(expressions)('%s uses existing metrics with existing labels', (_, expression) => {
    const names = metricsIn(expression);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => !exposed.has(name))).toEqual([]);
    const labels = [...scrapeLabels, ...names.flatMap((name) => [...exposed.get(name)!])];
    expect(labelsIn(expression).filter((label) => !labels.includes(label))).toEqual([]);
    for (const [open, close] of ['()', '{}', '[]'])
      expect(expression.split(open!).length).toBe(expression.split(close!).length);
  });

  test.each(rules)('the summary of $alert uses only labels that its result has', ({ expr, annotations }) => {
    const named = [...annotations.summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label);
    const remaining = /\bby \(/.test(expr) ? groupingLabelsIn(expr) : scrapeLabels;
    expect(named.filter((label) => !remaining.includes(label!))).toEqual([]);
  });

  const increases = rules.flatMap(({ alert, expr }) =>
    [...expr.matchAll(/\bincrease\((\w+)(?:\{(\w+="\w+")\})?\[/g)].map(([, name, label = '']) => ({
      alert,
      name: name!,
      label,
    })),
  );

  // Prometheus sees no increase in the first value of a series: unless the series starts at 0, an alert misses its first event.
  test.each(increases)('$alert sees the first increase of $name{$label}', ({ name, label }) => {
    expect(textAtStart).toMatch(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} 0$`, 'm'));
  });

  const counterRules = rules.filter(({ expr }) => /\w_(total|count|bucket)\b/.test(expr));
  test.each(counterRules)(
    '$alert ends by itself, because it looks only at a recent span of time',
    ({ expr }) => {
      expect(expr).toMatch(/\[\d+[mh]\]|offset \d+[mh]/);
    },
  );

  test('the alert for slow answers excludes the operations that transfer large files or whole lists', () => {
    const { expr } = rules.find(({ alert }) => alert === 'SlowAnswers')!;
    const [, excluded = ''] = /route!~"([^"]+)"/.exec(expr)!;
    const isExcluded = ({ method, path }: Operation) =>
      new RegExp(`^(?:${excluded})$`).test(`${method} ${path}`);
    const large = 64 * 1024;
    const transfers = operations.filter(
      ({ streamedBody, rawBody, mediaType }) =>
        streamedBody !== undefined || (rawBody?.maxBytes ?? 0) > large || mediaType === 'text/csv',
    );
    expect(transfers.length).toBeGreaterThan(10);
    expect(transfers.filter((operation) => !isExcluded(operation)).map(({ path }) => path)).toEqual([]);
    // Nothing in the declarations of these downloads says that they transfer files.
    expect(operations.filter(isExcluded).filter((operation) => !transfers.includes(operation))).toEqual([
      expect.objectContaining({ path: '/invoices/archive' }),
      expect.objectContaining({ path: '/project-file/:id' }),
      expect.objectContaining({ path: '/project-file/:id/preview' }),
    ]);
  });

  test('there is an alert for every process that disappears', () => {
    const { expr } = rules.find(({ alert }) => alert === 'ProcessMissing')!;
    const covered = [...expr.matchAll(/absent\(up\{job="seo-services", process="(\w+)"\}\)/g)];
    expect(covered.map(([, name]) => name)).toEqual(deployedProcesses);
  });

  const runbook = 'docs/operations/alerts.md';
  const sections = anchorsOf(
    readFileSync(fileURLToPath(new URL(`../../${runbook}`, import.meta.url)), 'utf8'),
  );

  test.each(rules)(`$alert leads to the section about it in ${runbook}`, ({ alert, annotations }) => {
    const anchor = alert.toLowerCase();
    expect(annotations.runbook).toBe(`${runbook}#${anchor}`);
    expect(sections).toContain(anchor);
  });

  test(`${runbook} is about existing alerts only`, () => {
    const alerts = rules.map(({ alert }) => alert.toLowerCase());
    expect(sections.slice(1).filter((anchor) => !alerts.includes(anchor))).toEqual([]);
  });

  test('durations are reported by route, in cumulative buckets', () => {
    const line = (part: string) => new RegExp(`^http_request_seconds_${part} 1$`, 'm');
    expect(text).toMatch(
      /^http_request_seconds_bucket\{route="GET \/banner",le="0.0025",service="some"\} 0$/m,
    );
    expect(text).toMatch(line('bucket\\{route="GET /banner",le="0.005",service="some"\\}'));
    expect(text).toMatch(line('bucket\\{route="GET /banner",le="\\+Inf",service="some"\\}'));
    expect(text).toMatch(line('count\\{route="GET /banner",service="some"\\}'));
  });
});
