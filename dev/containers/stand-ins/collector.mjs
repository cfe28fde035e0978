// A stand-in for an OpenTelemetry collector: receives spans at /v1/traces, and returns all of them at /.
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const spans = [];

async function answer(request, response) {
  if (request.method === 'POST' && request.url === '/v1/traces') {
    for (const { resource, scopeSpans } of (await json(request)).resourceSpans) {
      const service = resource.attributes.find(({ key }) => key === 'service.name').value.stringValue;
      for (const { name, traceId, spanId, parentSpanId } of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ service, name, traceId, spanId, parentSpanId });
    }
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(request.method === 'GET' ? spans : {}));
}

createServer((request, response) => void answer(request, response)).listen(4318);
process.on('SIGTERM', () => process.exit());
