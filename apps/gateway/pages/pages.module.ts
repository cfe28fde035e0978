import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module.js';
import { ContentModule } from '../content/content.module.js';
import { ImagesModule } from '../images/images.module.js';
import { SiteFilesModule } from '../site-files/site-files.module.js';
import { Pages } from './pages.js';
import { PreviewImages } from './preview-images.js';
import { RenderedPages } from './rendered-pages.js';
import { Renderer } from './renderer.js';
import { WebBuilds } from './web-builds.js';
import { WebProxy } from './web-proxy.js';

@Module({
  imports: [AnswersModule, ContentModule, ImagesModule, SiteFilesModule],
  providers: [Pages, RenderedPages, PreviewImages, Renderer, WebBuilds, WebProxy],
  exports: [Pages, Renderer],
})
export class PagesModule {}
