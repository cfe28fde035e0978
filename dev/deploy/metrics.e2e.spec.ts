import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testStack } from '#libs/testing';

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

describe('what is watched', () => {
  const exposed = new Set<string>();
  beforeAll(async () => {
    const { url, services } = testStack();
    await fetch(`${url}/banner`);
    for (const { health } of Object.values(services).flat()) {
      const text = await (await fetch(`${health}/metrics`)).text();
      // A histogram shows its parts once something was measured.
      for (const [, name, kind] of text.matchAll(/^# TYPE (\w+) (\w+)/gm)) {
        exposed.add(name!);
        if (kind === 'histogram')
          for (const part of ['bucket', 'sum', 'count']) exposed.add(`${name}_${part}`);
      }
    }
  });

  test.each(expressions)('%s asks for metrics that processes show', (_title, expression) => {
    const unknown = metricsIn(expression).filter((name) => !exposed.has(name));
    expect(unknown).toEqual([]);
  });

  test.each(rules)('$alert has its place in docs/operations.md', ({ annotations: { runbook } }) => {
    const [file, anchor] = runbook.split('#');
    const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    const anchors = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors).toContain(anchor);
  });

  test('durations are told by route', async () => {
    const { services } = testStack();
    const text = await (await fetch(`${services.gateway![0]!.health}/metrics`)).text();
    expect(text).toMatch(/^http_request_seconds_count\{route="GET \/banner",service="gateway"\} [1-9]/m);
  });
});
