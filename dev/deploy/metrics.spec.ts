import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createLogger, Metrics } from '#libs/platform';

const folder = fileURLToPath(new URL('../../k8s/monitoring/', import.meta.url));
const { rules } = (
  parse(readFileSync(`${folder}alerts.yaml`, 'utf8')) as {
    groups: [{ rules: { alert: string; expr: string; annotations: { runbook: string } }[] }];
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

/** Names of metrics in an expression: words before `{`, `[` or an operator that are no function and no label. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/\{[^}]*\}/g, '').replace(/\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/\b[a-z][a-z0-9_]*\b(?!\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => name.includes('_'));
}

/** Every metric that a service and a gateway register, by the code that registers it in them. */
async function exposedNames(): Promise<Set<string>> {
  const metrics = new Metrics('some');
  metrics.watchOutbox(() => Promise.resolve({ count: 0, oldestAgeSeconds: 0 }));
  metrics.watchQueue(() => Promise.resolve({ length: 0, pending: 0, lag: { content: 0 }, deadLetters: 0 }));
  metrics.watchPool(() => ({ used: 0, idle: 0, waiting: 0, limit: 10 }));
  const { Traffic } = (await import(`../../apps/gateway/observe/traffic.js`)) as {
    Traffic: new (registry: Metrics['registry'], logger: unknown) => Recorder;
  };
  const traffic = new Traffic(metrics.registry, createLogger('spec', 'silent'));
  traffic.record(
    { method: 'GET', url: '/banner', routeOptions: { url: '/banner' } },
    { raw: { statusCode: 200 }, elapsedTime: 3 },
    () => undefined,
  );
  text = await metrics.registry.metrics();
  const names = new Set<string>();
  for (const [, name, kind] of text.matchAll(/^# TYPE (\w+) (\w+)/gm)) {
    names.add(name!);
    // A histogram shows its parts once something was measured.
    if (kind === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
  }
  return names;
}

interface Recorder {
  record(request: object, reply: object, done: () => void): void;
}
let text = '';

describe('what is watched', () => {
  let exposed: Set<string>;
  beforeAll(async () => {
    exposed = await exposedNames();
  });

  test.each(expressions)('%s asks for metrics that processes show', (_title, expression) => {
    const unknown = metricsIn(expression).filter((name) => !exposed.has(name));
    expect(unknown).toEqual([]);
  });

  test.each(rules)('$alert has its place in docs/operations.md', ({ annotations: { runbook } }) => {
    const [file, anchor] = runbook.split('#');
    const document = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    const anchors = [...document.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors).toContain(anchor);
  });

  test('durations are told by route, in cumulative buckets', () => {
    const line = (part: string) => new RegExp(`^http_request_seconds_${part} 1$`, 'm');
    expect(text).toMatch(
      /^http_request_seconds_bucket\{route="GET \/banner",le="0.0025",service="some"\} 0$/m,
    );
    expect(text).toMatch(line('bucket\\{route="GET /banner",le="0.005",service="some"\\}'));
    expect(text).toMatch(line('bucket\\{route="GET /banner",le="\\+Inf",service="some"\\}'));
    expect(text).toMatch(line('count\\{route="GET /banner",service="some"\\}'));
  });
});
