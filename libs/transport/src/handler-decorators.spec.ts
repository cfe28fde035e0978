import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { command } from '#libs/contracts';
import type { RequestContext } from './context.js';
import { controllerOf, Handles } from './handler-decorators.js';

const place = command({
  pattern: 'orders.place',
  access: 'customer',
  input: z.object({ item: z.string() }),
  output: z.object({ id: z.string() }),
});

class Orders {
  private readonly prefix = 'order of ';

  @Handles(place)
  place({ item }: { item: string }, { requestId }: RequestContext) {
    return { id: `${this.prefix}${item}, ${requestId}` };
  }

  unhandled() {
    return this.prefix;
  }
}

test('the controller of a service class has only the handlers of the class, and passes calls on to an instance of the class', () => {
  const Controller = controllerOf(Orders);
  const controller = new Controller(new Orders()) as Orders;
  expect(controller.place({ item: 'Basic' }, { requestId: '7' } as RequestContext)).toEqual({
    id: 'order of Basic, 7',
  });
  expect(Object.getOwnPropertyNames(Controller.prototype)).toEqual(['constructor', 'place']);
  expect(Controller.name).toBe('OrdersController');
});

/** Checked by the compiler: it reports a `@ts-expect-error` that no error follows. Exported, because an unused class would be an error. */
export class Mistaken {
  // @ts-expect-error The input of the method is not that of `place`.
  @Handles(place)
  takesNumber({ item }: { item: number }) {
    return { id: String(item) };
  }

  // @ts-expect-error The output of the method is not that of `place`.
  @Handles(place)
  givesNumber() {
    return { id: 7 };
  }
}
