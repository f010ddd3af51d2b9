// selvedge: container=frameworks.SharableHandler
// A Netty handler that is marked sharable serves many channels on many event loops with one instance.
package frameworks;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

@ChannelHandler.Sharable
public class SharableHandler extends ChannelInboundHandlerAdapter {
    private int messages;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        messages++; //~ RACE
        context.write(message);
    }
}
