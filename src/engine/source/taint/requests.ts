import { type Model, valueAt } from './model.ts';
import { stepped } from './frame.ts';
import { allTaints } from './value.ts';

/** Go's `http.NewRequest(method, address, body)`: what is sent with a request does not choose where it goes. */
export const requestTo =
  (at: number): Model =>
  (call) => {
    const address = valueAt(call, at);
    return {
      taints: stepped(allTaints(address), call.frame, call.expression),
      ref: `${call.called.name}()`,
      ...(address.of === undefined ? {} : { of: address.of }),
    };
  };

const ofRequest = /(?:newBuilder|Builder|builder|[rR]equest)\(\)/;

/** `HttpRequest.newBuilder(uri).header(…).POST(body)`: the request goes where it went before. */
export const requestWith: Model = ({ called: { object, name }, frame }) =>
  frame.module.grammar === 'java' && object?.ref !== undefined && ofRequest.test(object.ref)
    ? { ...object, ref: `${name}()` }
    : undefined;
