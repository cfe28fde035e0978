// After `import './register-swc.mjs'`, dynamic imports of .ts files work.
import { register } from 'node:module';

register('./swc-hooks.mjs', import.meta.url);
