import { runService } from '#libs/platform';
import { AppModule } from './app.module.js';
import { readProjectsConfig } from './config.js';

const config = readProjectsConfig();
await runService({ name: 'projects', config, module: AppModule.forRoot(config) });
