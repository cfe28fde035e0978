// HEALTHCHECK of the image: exits with 0 if the process is ready.
import { get } from 'node:http';

const { HEALTH_PORT: port = '9090' } = process.env;
const request = get({ host: '127.0.0.1', port, path: '/readyz', timeout: 2_500 }, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => request.destroy());
request.on('error', () => process.exit(1));
