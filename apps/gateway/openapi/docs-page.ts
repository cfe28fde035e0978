import { errorSentences } from '#libs/contracts';
import { httpFailures, statusOfCode } from '../problem/problem.js';
import type { OpenApiDocument, OpenApiOperation } from './document.js';

type Json = Record<string, unknown>;

/** The documentation as HTML: no script, one style sheet, readable by anything. */
export function docsPage(document: OpenApiDocument): string {
  const groups = document.tags.map(({ name }) => ({ name, operations: operationsOf(document, name) }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(document.info.title)}: API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header><h1>${escape(document.info.title)}: API</h1>
<p>${prose(document.info.description)} This page as an <a href="/openapi.json">OpenAPI 3.1 document</a>.</p></header>
<nav aria-label="Groups"><ul>${groups.map(({ name }) => `<li><a href="#${anchor(name)}">${escape(name)}</a></li>`).join('')}<li><a href="#problems">Problems</a></li></ul></nav>
<main>
${groups.map(({ name, operations }) => group(name, operations, document)).join('\n')}
${problems()}
</main>
</body>
</html>
`;
}

interface Listed {
  method: string;
  path: string;
  operation: OpenApiOperation;
}

function operationsOf({ paths }: OpenApiDocument, tag: string): Listed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

function group(name: string, operations: Listed[], document: OpenApiDocument): string {
  return `<section><h2 id="${anchor(name)}">${escape(name)}</h2>${operations
    .map((listed) => entry(listed, document))
    .join('')}</section>`;
}

function entry({ method, path, operation }: Listed, document: OpenApiDocument): string {
  const { requestBody, responses, parameters = [] } = operation;
  return `<details id="${operation.operationId}"><summary><code class="method">${method}</code> <code>${escape(path)}</code> ${escape(operation.summary)}</summary>
<p>${escape(operation.description)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3>${parameterList(parameters)}` : ''}
${requestBody ? `<h3>Body</h3>${fieldTable(schemaIn(requestBody), document)}` : ''}
<h3>Answers</h3><dl>${Object.entries(responses)
    .map(([status, response]) => {
      const { description, ...rest } = follow(response, document);
      return `<dt>${status}</dt><dd>${escape(String(description))}${answerFields(rest, document)}</dd>`;
    })
    .join('')}</dl></details>`;
}

function parameterList(parameters: Json[]): string {
  return `<ul>${parameters
    .map(
      ({ name, in: place, description }) =>
        `<li><code>${escape(String(name))}</code> (${place}) ${prose(String(description ?? ''))}</li>`,
    )
    .join('')}</ul>`;
}

function answerFields(response: Json, document: OpenApiDocument): string {
  const isProblem =
    response.content === undefined || 'application/problem+json' in (response.content as Json);
  return isProblem ? '' : fieldTable(schemaIn(response), document);
}

function schemaIn({ content }: Json): Json {
  const [media] = Object.values(content as Record<string, { schema: Json }>);
  return media?.schema ?? {};
}

function fieldTable(schema: Json, document: OpenApiDocument): string {
  const { properties, required = [] } = resolve(schema, document) as {
    properties?: Json;
    required?: string[];
  };
  if (!properties) return '';
  const rows = Object.entries(properties).map(([name, field]) => {
    const { type, description, enum: values, maxLength, const: only } = field as Json;
    const kind =
      only !== undefined
        ? JSON.stringify(only)
        : Array.isArray(values)
          ? values.join(', ')
          : String(type ?? 'any');
    const limit = maxLength === undefined ? '' : `, at most ${String(maxLength)} characters`;
    return `<tr><th scope="row"><code>${escape(name)}</code></th><td>${escape(kind + limit)}</td><td>${required.includes(name) ? 'yes' : 'no'}</td><td>${prose(String(description ?? ''))}</td></tr>`;
  });
  return `<table><thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Required</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** Shows a list as what it is a list of. */
function resolve(schema: Json, document: OpenApiDocument): Json {
  const { items } = schema as { items?: Json };
  return items ? resolve(items, document) : follow(schema, document);
}

/** `#/components/<kind>/<name>` */
function follow(value: Json, { components }: OpenApiDocument): Json {
  if (typeof value.$ref !== 'string') return value;
  const [kind, name] = value.$ref.split('/').slice(2) as ['schemas' | 'responses', string];
  return components[kind][name] ?? {};
}

function problems(): string {
  const rows = [
    ...Object.entries(errorSentences).map(([code, sentence]) => [
      code,
      statusOfCode[code as 'INTERNAL'],
      sentence,
    ]),
    ...Object.entries(httpFailures).map(([code, { status, sentence }]) => [code, status, sentence]),
  ];
  return `<section><h2 id="problems">Problems</h2><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes.</p><table><thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead><tbody>${rows
    .map(
      ([code, status, sentence]) =>
        `<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${status}</td><td>${escape(String(sentence))}</td></tr>`,
    )
    .join('')}</tbody></table></section>`;
}

function anchor(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escaped, with what stands in backticks as code. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export const docsStyle = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { border-bottom: 1px solid; margin-top: 2.5rem; padding-bottom: .25rem; }
h3 { font-size: 1rem; margin-bottom: .25rem; }
nav ul { columns: 16rem; padding-left: 1.25rem; }
details { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .375rem; margin: .5rem 0; padding: .5rem .75rem; }
summary { cursor: pointer; overflow-wrap: anywhere; padding: .125rem 0; }
code { font: .9em ui-monospace, monospace; }
.method { font-weight: 700; }
table { border-collapse: collapse; display: block; overflow-x: auto; width: 100%; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; }
dt { font-weight: 700; }
dd { margin: 0 0 .5rem 1.5rem; }
a:focus-visible, summary:focus-visible { outline: 2px solid; outline-offset: 2px; }
`;
