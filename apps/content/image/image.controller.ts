import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { type HandlerInput, imageContract } from '#libs/contracts';
import { Handles, RequestContext } from '#libs/transport';
import { ImageService } from './image.service.js';

@Controller()
export class ImageController {
  constructor(private readonly images: ImageService) {}

  @Handles(imageContract.find)
  find(@Payload() input: HandlerInput<typeof imageContract.find>, @Ctx() context: RequestContext) {
    return this.images.find(input, context);
  }

  @Handles(imageContract.add)
  add(@Payload() input: HandlerInput<typeof imageContract.add>, @Ctx() context: RequestContext) {
    return this.images.add(input, context);
  }

  @Handles(imageContract.list)
  list(@Payload() request: HandlerInput<typeof imageContract.list>) {
    return this.images.list(request);
  }

  @Handles(imageContract.item)
  item(@Payload() { id }: HandlerInput<typeof imageContract.item>) {
    return this.images.item(id);
  }

  @Handles(imageContract.update)
  update(@Payload() input: HandlerInput<typeof imageContract.update>, @Ctx() context: RequestContext) {
    return this.images.update(input, context);
  }

  @Handles(imageContract.remove)
  remove(@Payload() input: HandlerInput<typeof imageContract.remove>, @Ctx() context: RequestContext) {
    return this.images.remove(input, context);
  }

  @Handles(imageContract.known)
  known(@Payload() { ids }: HandlerInput<typeof imageContract.known>) {
    return this.images.known(ids);
  }
}
