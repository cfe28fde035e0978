// `import './register-swc.mjs'` first, and dynamic imports of .ts files work from then on.
import { register } from 'node:module';

register('./swc-hooks.mjs', import.meta.url);
