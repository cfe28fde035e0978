import { runService } from '#libs/platform';
import { AppModule } from './app.module.js';
import { loadContentConfig } from './config.js';

const config = loadContentConfig();
await runService({ name: 'content', config, module: AppModule.forRoot(config) });
