// `npm run development-secrets`: see dev/deploy/development-secrets.ts.
import '../tools/register-swc.mjs';
import { root } from '../tools/root.mjs';

const { writeDevelopmentSecrets } = await import('../deploy/development-secrets.ts');
writeDevelopmentSecrets(root, console.log);
