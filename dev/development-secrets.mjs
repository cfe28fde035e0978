// `npm run development-secrets`: see dev/deploy/development-secrets.ts.
import './register-swc.mjs';
import { root } from './root.mjs';

const { writeDevelopmentSecrets } = await import('./deploy/development-secrets.ts');
writeDevelopmentSecrets(root, console.log);
