package lib;

class Hidden {
    public void inherited(Listener listener) { }
}
