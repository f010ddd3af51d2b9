// selvedge: container=frameworks.ChannelOwnHandler
// A Netty handler that is not sharable: one instance for each channel, always called by the channel's event loop.
package frameworks;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

public class ChannelOwnHandler extends ChannelInboundHandlerAdapter {
    private int messages;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        messages++; //~ NORACE: the channel's event loop only
        context.write(message);
    }
}
